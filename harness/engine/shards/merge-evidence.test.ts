import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exampleExchange } from '../../checks/example-exchange.ts';
import { bytesOfFile, digestOfFile } from '../../evidence/byte-source.ts';
import { type EvidenceRun, recordedOptions, summariseTarget } from '../../evidence/evidence-format.ts';
import { parseEvidence } from '../../evidence/evidence-log-for-tests.ts';
import { EvidenceWriter } from '../../evidence/evidence-writer.ts';
import { type Evidence, EvidenceFormatError, readEvidence } from '../../evidence/read-evidence.ts';
import { OtherFormatVersion } from '../../format-version.ts';
import type { Exchange } from '../../model/exchange.ts';
import { seededRandom } from '../../seeded-random.ts';
import { defaultOptions } from '../../target/default-options.ts';
import { targetFromParts } from '../../target/target-description.ts';
import { mergeEvidence } from './merge-shards.ts';

const run: EvidenceRun = {
  id: 'run-1',
  harness: { name: 'commerce-conformance', version: '0' },
  contract: `sha256:${'0'.repeat(64)}`,
  catalogue: '0'.repeat(64),
  target: summariseTarget(
    targetFromParts({ baseUrl: 'http://127.0.0.1:1', scopedKey: undefined, unscopedKey: undefined }),
    (text) => text,
  ),
  options: recordedOptions(defaultOptions),
};

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'merge-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function opened(path: string): Promise<Evidence> {
  return readEvidence(await bytesOfFile(path, Number.POSITIVE_INFINITY));
}

/** An exchange that ended so many milliseconds after midnight. */
function ended(number: number, at: number, check: string, body = '{}'): Exchange {
  const operation = 'op';
  return {
    ...exampleExchange({ operation, status: 200, body }),
    id: `${operation}/${check}/1.${number}`,
    case: { check, operation },
    attempt: 1,
    startedAt: new Date(Date.UTC(2026, 0, 1) + at - 5).toISOString(),
    durationMs: 5,
  };
}

function written(
  path: string,
  check: string,
  exchanges: readonly Exchange[],
  after: readonly number[],
): void {
  const writer = new EvidenceWriter(path, run);
  for (const exchange of exchanges) writer.observe(exchange);
  for (const [at, count] of after.entries()) {
    writer.observeAttempt({
      case: { check, operation: 'op' },
      attempt: at + 1,
      after: count,
      unkept: 0,
      leftOut: [],
      judged: '',
    });
  }
  expect(writer.finish().written).toBe(true);
}

describe('the evidence of shards', () => {
  it('is united in the order in which exchanges ended, attempts where they were judged', async () => {
    const dir = folder();
    const [a, b, all] = [join(dir, 'a.har'), join(dir, 'b.har'), join(dir, 'all.har')] as const;
    // What ends a line to others does not end one here.
    const unusual = JSON.stringify({ text: 'one\u2028two\u2029three\u0085four\rfive\n' });
    written(a, 'x/a', [ended(1, 10, 'x/a'), ended(2, 30, 'x/a', unusual)], [0, 1, 2]);
    written(b, 'x/b', [ended(1, 20, 'x/b'), ended(2, 40, 'x/b'), ended(3, 50, 'x/b')], [3]);
    const seen: string[] = [];
    const outcome = await mergeEvidence(
      [await opened(a), await opened(b)],
      { path: all, run: { ...run, id: 'united', shards: ['run-1', 'run-2'] } },
      ({ id }) => seen.push(id),
    );
    expect(outcome).toMatchObject({ written: true, exchanges: 5, sha256: await digestOfFile(all) });
    expect(seen).toEqual(['op/x/a/1.1', 'op/x/b/1.1', 'op/x/a/1.2', 'op/x/b/1.2', 'op/x/b/1.3']);
    const log = parseEvidence(readFileSync(all, 'utf8'));
    expect(log.exchanges.map(({ id }) => id)).toEqual(seen);
    expect(log.exchanges[2]?.response?.body.text).toBe(unusual);
    expect(log.run.shards).toEqual(['run-1', 'run-2']);
    expect(log.attempts.map(({ case: { check }, after }) => `${check} ${after}`)).toEqual([
      'x/a 0',
      'x/a 1',
      'x/a 3',
      'x/b 5',
    ]);
  });

  it('may be empty', async () => {
    const dir = folder();
    const [a, all] = [join(dir, 'a.har'), join(dir, 'all.har')] as const;
    written(a, 'x/a', [], []);
    const outcome = await mergeEvidence([await opened(a)], { path: all, run }, () => undefined);
    expect(outcome).toMatchObject({ written: true, exchanges: 0 });
    expect(readFileSync(all, 'utf8')).toBe(readFileSync(a, 'utf8'));
  });

  it('is hashed as it is', async () => {
    const path = join(folder(), 'a.har');
    writeFileSync(path, 'a text');
    expect(await digestOfFile(path)).toBe(hash('sha256', 'a text'));
  });

  it.each([
    { name: 'cut off', change: (text: string) => text.slice(0, text.indexOf('"_attempts"')) },
    { name: 'cut off in an entry', change: (text: string) => text.slice(0, text.indexOf('"_values"')) },
    { name: 'laid out otherwise', change: (text: string) => JSON.stringify(JSON.parse(text), null, 2) },
    { name: 'empty', change: () => '' },
    {
      name: 'of a request that took longer than anybody waits',
      change: (text: string) => text.replace(/("(?:time|wait)"):\d+/g, '$1:9007199254740991'),
    },
    {
      name: 'of a service without a URL',
      change: (text: string) => text.replace('http://127.0.0.1:1"', 'http://127.01-9999.0.1:1"'),
    },
  ])('that is $name is refused', async ({ change }) => {
    const dir = folder();
    const path = join(dir, 'a.har');
    written(path, 'x/a', [ended(1, 10, 'x/a')], [1]);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    const merging = async (): Promise<unknown> =>
      mergeEvidence([await opened(path)], { path: join(dir, 'all.har'), run }, () => undefined);
    await expect(merging).rejects.toThrow(EvidenceFormatError);
  });

  it('that has any one value replaced is merged or refused', async () => {
    const dir = folder();
    const path = join(dir, 'a.har');
    written(path, 'x/a', [ended(1, 10, 'x/a'), ended(2, 20, 'x/a')], [1, 2]);
    const text = readFileSync(path, 'utf8');
    const random = seededRandom(1, 'evidence mutants');
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const planted = ['null', '-1', '1e99', '""', '{}', '[]', '"\\u0000"', '{"__proto__":{"a":1}}', '"x:y"'];
    const values = [
      ...text.matchAll(/(?<=[:[,])(?:"(?:[^"\\]|\\.)*"(?!:)|-?\d+(?:\.\d+)?|true|false|null)/g),
    ];
    for (let count = 0; count < 300; count += 1) {
      const { 0: old, index } = pick(values);
      writeFileSync(path, text.slice(0, index) + pick(planted) + text.slice(index + old.length));
      try {
        await mergeEvidence([await opened(path)], { path: join(dir, 'all.har'), run }, () => undefined);
      } catch (error) {
        const isExpected = error instanceof EvidenceFormatError || error instanceof OtherFormatVersion;
        expect(isExpected, String((error as Error).stack)).toBe(true);
      }
    }
    expect(({} as { a?: number }).a).toBeUndefined();
  });
});
