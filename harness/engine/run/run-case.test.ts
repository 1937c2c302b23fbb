import { afterEach, describe, expect, it } from 'vitest';
import { ids } from '../../../spec/operation-ids-for-tests.ts';
import { openContext, type TestContext } from '../../calls/run-context-for-tests.ts';
import { SharedControls } from '../../calls/shared-controls.ts';
import type { ActiveCheck } from '../../checks/check.ts';
import { inconclusive, notApplicable, notTested, pass, violatedOr } from '../../checks/outcomes.ts';
import { wrongAnswers } from '../../checks/wrong-answers.ts';
import { statusOf } from '../../evidence/answer.ts';
import type { RecordedAttempt } from '../../evidence/evidence-format.ts';
import { type Loopback, serveHttp } from '../../http/loopback-for-tests.ts';
import type { Evaluation } from '../../model/evaluation.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { CaseResult } from '../../model/report.ts';
import { InconclusiveError } from '../../requests/inconclusive-error.ts';
import { activeCase, notOk, numbered } from './cases-for-tests.ts';
import { runCase } from './run-case.ts';

let server: Loopback | undefined;
let context: TestContext | undefined;
afterEach(async () => {
  await context?.client.close();
  await server?.close();
});

/** A bench against a service that gives these statuses in turn, the last one for ever. */
async function contextAnswering(...statuses: readonly number[]): Promise<TestContext> {
  await context?.client.close();
  await server?.close();
  let count = 0;
  server = await serveHttp((_request, response) => {
    const status = statuses[Math.min(count, statuses.length - 1)] ?? 200;
    count += 1;
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  context = await openContext(server.origin);
  return context;
}

/** Gives one outcome per attempt, and repeats the last one. */
function evaluating(...evaluations: ReadonlyArray<() => Evaluation>): {
  evaluate: () => Evaluation;
  times: () => number;
} {
  let count = 0;
  return {
    evaluate: () => {
      const evaluation = evaluations[Math.min(count, evaluations.length - 1)];
      count += 1;
      return evaluation === undefined ? pass('') : evaluation();
    },
    times: () => count,
  };
}

const violated = (...exchanges: readonly Exchange[]): Evaluation =>
  violatedOr((exchanges.length > 0 ? exchanges : [numbered('x', { status: 404 })]).map(notOk), () =>
    pass(''),
  );

async function evaluated(
  ...evaluations: ReadonlyArray<() => Evaluation>
): Promise<CaseResult & { readonly attempts: number }> {
  const { evaluate, times } = evaluating(...evaluations);
  const result = await runCase(await contextAnswering(200), activeCase({ evaluate }), false);
  return { ...result, attempts: times() };
}

/** The result of a case with one finding. */
function seenIn(times: number, of: number): object {
  return { outcome: 'fail', findings: [{ seen: { times, of } }] };
}

/** How many cases at the operation act at once, of two that are run together. */
async function mostAtOnce(id: string, alone?: () => boolean): Promise<number> {
  const context = await contextAnswering(200);
  let acting = 0;
  let most = 0;
  const probe = async (): Promise<void> => {
    acting += 1;
    most = Math.max(most, acting);
    await new Promise((resolve) => setTimeout(resolve, 5));
    acting -= 1;
  };
  const planned = activeCase({ probe, ...(alone === undefined ? {} : { alone }) }, context.operation(id));
  await Promise.all([runCase(context, planned, false), runCase(context, planned, false)]);
  return most;
}

describe('runCase', () => {
  it.each([ids.consume, ids.cancel])(
    'lets a case at %s act by itself where its check asks for it',
    async (id) => {
      expect(await mostAtOnce(id)).toBe(2);
      expect(await mostAtOnce(id, () => true)).toBe(1);
    },
  );

  it('tells a case that a login was in another state than a fresh one to try again', async () => {
    const context = await contextAnswering(404, 200);
    let attempts = 0;
    const planned = activeCase(
      {
        probe: async (client) => {
          attempts += 1;
          await client.call({ role: 'control', label: 'returns a login', placeholders: true });
        },
        evaluate: ({ exchanges }) =>
          statusOf(exchanges[0] as Exchange) === 200 ? pass('held') : inconclusive('no'),
      },
      context.operation(ids.consume),
    );
    expect(await runCase(context, planned, false)).toMatchObject({ outcome: 'pass' });
    expect(attempts).toBe(2);
  });

  it.each([
    ['shares valid calls', 'area/active', 1],
    ['makes each valid call of a custom check', 'own/active', 2],
  ])('%s', async (_what, id, sent) => {
    const context = await contextAnswering(200);
    const controls = new SharedControls();
    const probe: ActiveCheck['probe'] = async (client) => {
      await client.call({ role: 'control', label: 'the first one' });
      await client.call({ role: 'control', label: 'the next one' });
    };
    const planned = activeCase({ probe }, context.operation(ids.bootstrap));
    const check = { ...planned.check, id };
    await runCase({ ...context, controls }, { ...planned, check }, false);
    expect(context.recorded).toHaveLength(sent);
  });

  it('never passes a case without a request that the budget prevented', async () => {
    const context = await contextAnswering(200);
    while (context.budget.remaining > 0) context.budget.take();
    const planned = activeCase(
      {
        requests: () => 0,
        // As probes do that can go on without a valid call.
        probe: async (client) => {
          await client.call({ role: 'control', label: 'valid call' }).catch(() => undefined);
        },
      },
      context.operation(ids.bootstrap),
    );
    const attempts: RecordedAttempt[] = [];
    context.recorder.on('attempt', (attempt) => attempts.push(attempt));
    expect(await runCase(context, planned, false)).toMatchObject({
      outcome: 'inconclusive',
      remedy: 'raise --max-requests',
    });
    expect(attempts).toMatchObject([{ gaveUp: { remedy: 'raise --max-requests' } }]);
  });

  it('names the line that a check lacks which sends nothing without it', async () => {
    const context = await contextAnswering(200);
    const planned = activeCase(
      { needs: () => ['valid-call'], evaluate: () => inconclusive('no call was sent') },
      context.operation(ids.create),
    );
    expect(await runCase(context, planned, false)).toMatchObject({
      outcome: 'inconclusive',
      message: `no valid body of ${ids.create} is known`,
      remedy: expect.stringContaining(`bodies: { ${ids.create}`),
    });
    const idle = { ...planned.check, evaluate: () => notApplicable('nothing to test') };
    expect((await runCase(context, { ...planned, check: idle }, false)).outcome).toBe('not-applicable');
  });

  const [held, broken] = [() => pass('held'), () => violated()];
  const [no, notYet] = [() => inconclusive('no'), () => notTested('not yet')];
  const line = (): Evaluation => inconclusive('no body is known', 'bodies: …');

  it.each<readonly [what: string, evaluations: ReadonlyArray<() => Evaluation>, result: object]>([
    ['tries once what passes', [held], { outcome: 'pass', message: 'held', attempts: 1 }],
    ['tries three times what is violated', [broken], { ...seenIn(3, 3), attempts: 3 }],
    ['fails what is violated in the first try', [broken, held], seenIn(1, 3)],
    ['fails what is violated in the first and third try', [broken, held, broken], seenIn(2, 3)],
    ['leaves tries that tell nothing out of the count', [broken, no, broken], seenIn(2, 2)],
    ['fails what was violated after such a try', [notYet, broken], { ...seenIn(2, 2), attempts: 3 }],
    ['tries again what may be different next time', [notYet, held], { outcome: 'pass', attempts: 2 }],
    ['tries three times at the most', [notYet], { outcome: 'inconclusive', attempts: 3 }],
    [
      'does not try again what only the user can change',
      [line],
      { outcome: 'inconclusive', message: 'no body is known', remedy: 'bodies: …', attempts: 1 },
    ],
  ])('%s', async (_what, evaluations, result) => {
    expect(await evaluated(...evaluations)).toMatchObject(result);
  });

  it('counts each violation by itself', async () => {
    const one = numbered('1', { status: 404, label: 'one' });
    const two = numbered('2', { status: 302, label: 'two' });
    const { findings } = await evaluated(
      () => violated(one, two),
      () => violated(one),
      () => violated(one),
    );
    expect(findings.map(({ exchange, seen }) => [exchange.label, seen.times])).toEqual([
      ['one', 3],
      ['two', 1],
    ]);
  });

  it('counts tries, not probes that are alike within one', async () => {
    const alike = [numbered('1', { status: 404 }), numbered('2', { status: 404 })];
    expect(await evaluated(() => violated(...alike))).toMatchObject({
      findings: [{ seen: { times: 3, of: 3 } }],
    });
  });

  it('sends again all that showed a violation, where one stands for several, and nothing else', async () => {
    const context = await contextAnswering(200);
    const labels = ['a', 'b', 'c', 'd'];
    const planned = activeCase({
      probe: async (client) => {
        const calls = labels.map((label) => ({ role: 'probe', label }) as const);
        for (const spec of calls.filter((one) => client.wants(one)))
          await client.call(spec, { operation: client.operation(ids.bootstrap) });
      },
      evaluate: ({ exchanges }) => {
        const failures = exchanges.filter(({ label }) => label !== 'b');
        const rule = { expected: '400', statement: () => 'is refused' };
        return violatedOr(wrongAnswers(failures, rule), () => pass(''));
      },
    });
    expect(await runCase(context, planned, false)).toMatchObject({
      findings: [{ message: 'is refused: a; c; d', seen: { times: 3, of: 3 } }],
    });
    expect(context.recorded.map(({ label }) => label).join('')).toBe('abcdacdacd');
  });

  it('calls a defect of a check a defect', async () => {
    const result = await evaluated(() => {
      throw new TypeError('broken evaluation');
    });
    expect(result).toMatchObject({ outcome: 'error', findings: [] });
    expect(result.message).toContain('defect of the harness: TypeError: broken evaluation');
  });

  it('keeps what was found before a defect', async () => {
    const result = await evaluated(
      () => violated(),
      () => {
        throw new Error('broken evaluation');
      },
    );
    expect(result.outcome).toBe('fail');
  });

  it('gives what could not be had as the reason, with its remedy', async () => {
    const planned = activeCase({
      probe: async () => {
        throw new InconclusiveError('nothing to call', { remedy: 'add it' });
      },
    });
    expect(await runCase(await contextAnswering(200), planned, false)).toMatchObject({
      outcome: 'inconclusive',
      message: 'nothing to call',
      remedy: 'add it',
    });
  });

  it('never passes a probe that gave up, but fails what it had seen', async () => {
    const planned = activeCase({
      probe: async (client) => {
        await client.call({ role: 'probe', label: 'one' });
        throw new InconclusiveError('no more');
      },
      evaluate: ({ exchanges }) =>
        violatedOr(exchanges.filter((one) => statusOf(one) !== 200).map(notOk), () => pass('held')),
    });
    expect(await runCase(await contextAnswering(200), planned, false)).toMatchObject({
      outcome: 'inconclusive',
      message: 'no more',
    });
    await context?.client.close();
    await server?.close();
    expect((await runCase(await contextAnswering(404), planned, false)).outcome).toBe('fail');
  });

  it('lists the exchanges of all tries of a violation, and each try by its number', async () => {
    const planned = activeCase({
      probe: async (client) => {
        await client.call({ role: 'probe', label: 'one' });
      },
      evaluate: ({ exchanges }) => violatedOr(exchanges.map(notOk), () => pass('')),
    });
    const { exchanges } = await runCase(await contextAnswering(404), planned, false);
    expect(exchanges).toEqual([1, 2, 3].map((attempt) => `${planned.operation.id}/area/active/${attempt}.1`));
  });

  it('leaves a crash that comes and goes to the check of statuses', async () => {
    const planned = activeCase({
      probe: async (client) => {
        await client.call({ role: 'probe', label: 'one' });
      },
      evaluate: ({ exchanges }) =>
        violatedOr(exchanges.filter((one) => statusOf(one) !== 200).map(notOk), () => pass('held')),
    });
    expect(await runCase(await contextAnswering(500, 200), planned, false)).toMatchObject({
      outcome: 'pass',
    });
    await context?.client.close();
    await server?.close();
    expect(await runCase(await contextAnswering(500), planned, false)).toMatchObject({ outcome: 'fail' });
  });

  it('is strict with recommendations where it is told to be', async () => {
    const planned = activeCase({
      evaluate: () =>
        violatedOr([{ ...notOk(numbered('x', { status: 404 })), clause: 'weaker' }], () => pass('')),
    });
    const ready = await contextAnswering(200);
    expect((await runCase(ready, planned, false)).outcome).toBe('warn');
    expect((await runCase(ready, planned, true)).outcome).toBe('fail');
  });
});
