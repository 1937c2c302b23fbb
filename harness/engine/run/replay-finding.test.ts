import { describe, expect, it } from 'vitest';
import { pass, violatedOr } from '../../checks/outcomes.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Finding } from '../../model/report.ts';
import { caseIdOf } from '../../results/case-result.ts';
import { findingId } from '../../results/finding.ts';
import { findingFor, violationOf } from '../../results/results-for-tests.ts';
import { activeCase, notOk, numbered, passiveCase } from './cases-for-tests.ts';
import type { Attempt } from './conclude-case.ts';
import { type Replay, replayFinding } from './replay-finding.ts';

const planned = activeCase();

/** Replays a finding on a target where the given attempts, counted from 1, show something. */
async function replayed(
  finding: Partial<Finding>,
  shows: (attempt: number, sent: readonly Exchange[]) => Exchange | undefined,
): Promise<{ readonly replay: Replay; readonly attempts: number }> {
  const exchange = numbered('small', { status: 500 });
  const id = findingId(violationOf({ exchange }), planned.check.id);
  let attempts = 0;
  const replay = await replayFinding(
    {
      plan: { active: [planned], passive: [], collective: [], notApplicable: [] },
      document: undefined,
      missing: () => [],
      attemptAgain: async (_case, _number, sent): Promise<Attempt> => {
        attempts += 1;
        const shown = shows(attempts, sent);
        const violations = shown === undefined ? [] : [violationOf({ exchange: shown })];
        const evaluation = violatedOr(violations, () => pass('held'));
        return { evaluation, exchanges: [], signs: {} as Attempt['signs'] };
      },
    },
    {
      result: { check: planned.check.id, operation: planned.operation.id },
      finding: findingFor({ id, exchange, ...finding }),
    },
  );
  return { replay, attempts };
}

describe('a replay', () => {
  it('knows a smaller input of a watching check again where another step repeats it', async () => {
    const sender = { ...planned, id: caseIdOf(numbered('a').case) };
    const passive = passiveCase();
    const parts = { row: { body: 'random' }, status: 500 } as const;
    const exchange = numbered('small', { ...parts, role: 'reduction', step: 'smaller' });
    const again = numbered('again', { ...parts, step: 'repeated' });
    const replay = await replayFinding(
      {
        plan: { active: [sender], passive: [passive], collective: [], notApplicable: [] },
        document: undefined,
        missing: () => [],
        attemptAgain: async () => ({
          evaluation: pass('held'),
          exchanges: [again],
          signs: {} as Attempt['signs'],
        }),
      },
      {
        result: { check: passive.check.id, operation: passive.operation.id },
        finding: findingFor({ id: findingId(notOk(exchange), passive.check.id), exchange }),
      },
    );
    expect(replay.outcome).toBe('still-there');
  });

  it('is fixed where three attempts show nothing of a finding that every try showed', async () => {
    expect(await replayed({}, () => undefined)).toEqual({ replay: { outcome: 'fixed', of: 3 }, attempts: 3 });
  });

  it('sends the input that failed first beside the smaller one, which may fail only just', async () => {
    const found = numbered('large', { status: 500 });
    const { replay } = await replayed({ found }, (_, sent) => (sent.includes(found) ? found : undefined));
    expect(replay).toMatchObject({ outcome: 'still-there', exchange: found });
  });

  it('tries a finding that comes and goes as often as it takes, and until it is seen', async () => {
    const seen = { times: 1, of: 4 };
    const fixed = await replayed({ seen }, () => undefined);
    expect(fixed).toEqual({ replay: { outcome: 'fixed', of: 11 }, attempts: 11 });
    const exchange = numbered('small', { status: 500 });
    const there = await replayed({ seen }, (attempt) => (attempt === 7 ? exchange : undefined));
    expect(there).toMatchObject({ replay: { outcome: 'still-there', times: 1, of: 7 }, attempts: 7 });
  });

  it('cannot tell of what is too rare to be seen again, unless it is', async () => {
    const seen = { times: 1, of: 50 };
    expect((await replayed({ seen }, () => undefined)).replay).toMatchObject({
      outcome: 'cannot-tell',
      reason: expect.stringContaining('1 of 50 tries'),
    });
    const exchange = numbered('small', { status: 500 });
    const { replay } = await replayed({ seen }, (attempt) => (attempt === 2 ? exchange : undefined));
    expect(replay.outcome).toBe('still-there');
  });
});
