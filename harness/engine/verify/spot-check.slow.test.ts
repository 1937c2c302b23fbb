import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeAnswers } from '../../../fixtures/mutators/change-answers.ts';
import type { Answer, Call } from '../../../fixtures/reference-service/call.ts';
import { type RunningService, startService } from '../../../fixtures/reference-service/start-service.ts';
import { loadCatalogue } from '../../checks/catalogue.ts';
import { type EvidenceLog, evidenceOf, parseEvidence } from '../../evidence/evidence-log-for-tests.ts';
import type { CaseResult, Report } from '../../model/report.ts';
import type { Target } from '../../model/target.ts';
import { seededRandom } from '../../seeded-random.ts';
import { defaultOptions } from '../../target/default-options.ts';
import { targetFromObject } from '../../target/target-description.ts';
import { Run } from '../run/run.ts';
import { runSchedule } from '../run/schedule.ts';
import { spotCheck } from './spot-check.ts';

/** Spot checks of each kind of service; the figure in docs/certifying.md comes from SPOT_CHECKS=200. */
const rounds = Number(process.env['SPOT_CHECKS'] ?? 4);
const share = 0.1;
const random = seededRandom(1, 'cheats');

let service: RunningService;
let target: Target;
let log: EvidenceLog;
let results: readonly CaseResult[];
/** Whether the service violates the contract in the response to a call. */
let cheats: (call: Call) => boolean = () => false;
/** How it does. */
let cheat: Partial<Answer> = { status: 200, body: Buffer.from('"everything is fine"') };

beforeAll(async () => {
  service = await startService({
    alter: [
      (parts) =>
        changeAnswers(parts, {}, (answer, call) => (cheats(call) ? { ...answer, ...cheat } : answer)),
    ],
  });
  const { contract } = await loadCatalogue();
  target = targetFromObject(service.target, 'test', contract);
  const folder = await mkdtemp(join(tmpdir(), 'conformance-spot-check-'));
  const evidence = join(folder, 'evidence.har');
  const run = await Run.open({ target, options: { ...defaultOptions, seed: 1 }, evidence });
  results = await runSchedule(run);
  run.finishEvidence();
  await run.close();
  log = parseEvidence(await readFile(evidence, 'utf8'));
  await rm(folder, { recursive: true });
});

afterAll(() => service.close());

const check = (): ReturnType<typeof spotCheck> =>
  spotCheck({
    target,
    options: defaultOptions,
    report: { results, target: {} } as unknown as Report,
    evidence: evidenceOf(log),
    cases: 40,
  });

const headerOf = ({ request }: Call, name: string): string => String(request.headers[name] ?? '');
let calls = 0;

const kinds: Readonly<Record<string, (call: Call) => boolean>> = {
  'calls with another user agent': (call) =>
    !headerOf(call, 'user-agent').startsWith('commerce-conformance') && random() < share,
  'calls without a request id': (call) => headerOf(call, 'x-request-id') === '' && random() < share,
  'every tenth call in another order than that of a run': () => {
    calls += 1;
    return calls % 10 === 0;
  },
  'calls at another time of day': () => random() < share,
};

describe('a default spot check', () => {
  it('confirms an honest service', { timeout: rounds * 60_000 }, async () => {
    cheats = () => false;
    for (let round = 0; round < rounds; round += 1) {
      const { differences, passed, verbatim = 0 } = await check();
      expect({ differences, passed }).toEqual({ differences: [], passed: true });
      expect(verbatim).toBeGreaterThan(10);
    }
  });

  it.each(Object.entries(kinds))('finds %s', { timeout: rounds * 60_000 }, async (name, cheating) => {
    cheats = cheating;
    let found = 0;
    let requests = 0;
    for (let round = 0; round < rounds; round += 1) {
      const result = await check();
      found += result.passed ? 0 : 1;
      requests += result.requests;
    }
    process.stdout.write(
      `${name}: found in ${found} of ${rounds} spot checks, ${requests / rounds} requests each\n`,
    );
    expect(found / rounds).toBeGreaterThanOrEqual(0.95);
  });
});

it('a recorded read that is refused every other time is a difference, though the next one succeeds', async () => {
  const turns = new Map<string, number>();
  cheat = { status: 404 };
  cheats = ({ request: { method, url, headers } }) => {
    const read = `${method} ${url} ${headers.authorization}`;
    turns.set(read, (turns.get(read) ?? 0) + 1);
    return method === 'GET' && (turns.get(read) ?? 0) % 2 === 1;
  };
  const { differences } = await check();
  expect(differences).toContainEqual(expect.stringMatching(/sent as recorded: recorded 200, now 404$/));
});
