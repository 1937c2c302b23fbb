import { hash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exampleExchange } from '../checks/example-exchange.ts';
import type { Exchange } from '../model/exchange.ts';
import { defaultOptions } from '../target/default-options.ts';
import { targetFromParts } from '../target/target-description.ts';
import { bytesOfFile, digestOf } from './byte-source.ts';
import {
  type EvidenceRun,
  evaluatedNumbers,
  numberRanges,
  prefixOf,
  recordedOptions,
  summariseTarget,
} from './evidence-format.ts';
import { bytesOf, parseEvidence } from './evidence-log-for-tests.ts';
import { EvidenceWriter } from './evidence-writer.ts';
import { anyExchange } from './exchange-for-tests.ts';
import { harSchema } from './har-schema-for-tests.ts';
import { readEvidence } from './read-evidence.ts';

const run: EvidenceRun = {
  id: 'run-1',
  harness: { name: 'commerce-conformance', version: '0' },
  contract: `sha256:${'0'.repeat(64)}`,
  catalogue: '0'.repeat(64),
  target: summariseTarget(
    targetFromParts({
      baseUrl: 'http://127.0.0.1:1/base',
      scopedKey: 'pk_ScopedAbc12345',
      unscopedKey: undefined,
    }),
    (text) => text,
  ),
  options: recordedOptions(defaultOptions),
};

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'evidence-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const attempt = {
  case: { check: 'a/b', operation: 'op' },
  attempt: 1,
  after: 4,
  unkept: 0,
  leftOut: [],
  judged: numberRanges(['op/a/b/1.1', 'op/a/b/1.2', 'op/a/b/1.5', 'op/a/b/1.4']),
};

describe('EvidenceWriter', () => {
  it('writes valid HAR that is read as what was recorded', async () => {
    const path = join(folder(), 'evidence.har');
    const writer = new EvidenceWriter(path, run);
    const exchanges = fc
      .sample(anyExchange, { numRuns: 200, seed: 1 })
      .map((one) => ({ ...one, ...(one.id === '' ? { id: 'x' } : {}) }))
      .map((one) => ({
        ...one,
        operation: one.operation || 'op',
        case: { check: one.case.check || 'c', operation: one.case.operation || 'op' },
      }));
    for (const exchange of exchanges) writer.observe(exchange);
    writer.observeAttempt(attempt);
    const outcome = writer.finish();
    const text = readFileSync(path, 'utf8');
    expect(outcome).toEqual({
      written: true,
      exchanges: 200,
      bytes: Buffer.byteLength(text),
      sha256: hash('sha256', text),
    });
    const validate = harSchema('har');
    expect(validate(JSON.parse(text)), JSON.stringify(validate.errors)).toBe(true);
    const attempts = [
      { case: attempt.case, attempt: 1, judged: '1-2,5,4', unkept: 0, leftOut: [], after: 4 },
    ];
    const source = await bytesOfFile(path, Number.POSITIVE_INFINITY);
    const read = await readEvidence(source);
    const streamed: Exchange[] = [];
    for await (const exchange of read.exchanges()) streamed.push(exchange);
    expect({ run: read.run, exchanges: streamed, attempts: read.attempts }).toEqual({
      run,
      exchanges,
      attempts,
    });
    expect(read.count).toBe(200);
    expect(await digestOf(source)).toBe(hash('sha256', text));
    const prefix = prefixOf(exchanges[0] ?? expect.fail());
    const own = exchanges.filter((exchange) => prefixOf(exchange) === prefix);
    expect(await read.exchangesOf(prefix)).toEqual(expect.arrayContaining(own));
    writeFileSync(path, text.replace('}', '} '));
    await expect(readEvidence(source)).rejects.toThrow('changed while it was read');
    expect(parseEvidence(text)).toEqual({ run, exchanges, attempts });
  });

  it('writes valid HAR of a run without an exchange', async () => {
    const path = join(folder(), 'evidence.har');
    new EvidenceWriter(path, run).finish();
    const text = readFileSync(path, 'utf8');
    expect(harSchema('har')(JSON.parse(text))).toBe(true);
    expect(await readEvidence(bytesOf(text))).toMatchObject({ count: 0, attempts: [] });
  });

  it('writes to a prepared file, and creates none where it was removed', () => {
    const dir = folder();
    const path = join(dir, 'evidence.har');
    const prepared = join(dir, '.prepared');
    writeFileSync(prepared, '');
    expect(new EvidenceWriter(path, run, { prepared }).finish()).toMatchObject({ written: true });
    expect(readdirSync(dir)).toEqual(['evidence.har']);
    const late = new EvidenceWriter(path, run, { prepared });
    expect(readdirSync(dir)).toEqual(['evidence.har']);
    expect(late.finish()).toEqual({ written: false, why: expect.stringContaining('ENOENT') });
    symlinkSync(path, prepared);
    const linked = new EvidenceWriter(path, run, { prepared });
    expect(linked.finish()).toEqual({ written: false, why: expect.stringContaining('ELOOP') });
  });

  it('has no file of the name before the end', async () => {
    const dir = folder();
    const writer = new EvidenceWriter(join(dir, 'evidence.har'), run);
    for (let count = 0; count < 200; count += 1) writer.observe(exampleExchange({ status: 200 }));
    const [part = ''] = readdirSync(dir);
    expect(part).toMatch(/^\.evidence\.har\.[0-9a-f]{16}\.part$/);
    await expect(readEvidence(bytesOf(readFileSync(join(dir, part), 'utf8')))).rejects.toThrow('is cut off');
    writer.finish();
    expect(readdirSync(dir)).toEqual(['evidence.har']);
  });

  it('says why, and goes on, where the folder is not there', () => {
    const writer = new EvidenceWriter(join(folder(), 'none', 'evidence.har'), run);
    writer.observe(exampleExchange({ status: 200 }));
    expect(writer.finish()).toEqual({ written: false, why: expect.stringContaining('ENOENT') });
  });

  it.runIf(existsSync('/dev/full'))('says so, and leaves nothing, where the disk is full', () => {
    const made = folder();
    const path = join(made, 'evidence.har');
    const writer = new EvidenceWriter(path, run, { open: () => openSync('/dev/full', 'w') });
    for (let count = 0; count < 500; count += 1) writer.observe(exampleExchange({ status: 200 }));
    expect(writer.finish()).toEqual({ written: false, why: expect.stringContaining('ENOSPC') });
    expect(readdirSync(made)).toEqual([]);
  });

  it('keeps nothing of what it has written', () => {
    const writer = new EvidenceWriter(join(folder(), 'evidence.har'), run);
    const exchange = exampleExchange({ status: 200, body: JSON.stringify('x'.repeat(10_000)) });
    const before = process.memoryUsage();
    for (let count = 0; count < 5_000; count += 1) writer.observe(exchange);
    const after = process.memoryUsage();
    writer.finish();
    // 50 MB were written; what is not collected yet is a part of it.
    expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(40e6);
  });
});

describe('the evaluated exchanges of an attempt', () => {
  it('are written short and read as they were', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 60 })), (numbers) => {
        const evaluated = numbers.map((number) => `op/a/b/1.${number}`);
        expect(evaluatedNumbers(numberRanges(evaluated), 100)).toEqual(numbers);
      }),
    );
  });

  it('are no more than there can be, whatever a file says', () => {
    expect(evaluatedNumbers('1-999999999', 10)).toHaveLength(11);
  });
});
