import { afterAll, describe, expect, it } from 'vitest';
import { changeAnswers, withBody } from '../../../fixtures/mutators/change-answers.ts';
import type { OperationHandler, ServiceParts } from '../../../fixtures/reference-service/service-parts.ts';
import {
  type RunningService,
  type ServiceOptions,
  startService,
} from '../../../fixtures/reference-service/start-service.ts';
import { ids } from '../../../spec/operation-ids-for-tests.ts';
import { loadCatalogue } from '../../checks/catalogue.ts';
import type { CaseResult } from '../../model/report.ts';
import type { RunOptions } from '../../model/run-options.ts';
import { interruptedReason } from '../../pacing/target-monitor.ts';
import { defaultOptions } from '../../target/default-options.ts';
import { targetFromObject } from '../../target/target-description.ts';
import { Run } from './run.ts';

const open: Array<() => Promise<void>> = [];
afterAll(async () => {
  for (const close of open.reverse()) await close();
});

async function started(
  options: ServiceOptions = {},
): Promise<{ service: RunningService; parts: ServiceParts }> {
  let kept: ServiceParts | undefined;
  const keep = (parts: ServiceParts): void => {
    kept = parts;
  };
  const service = await startService({ ...options, alter: [...(options.alter ?? []), keep] });
  open.push(() => service.close());
  return { service, parts: kept ?? expect.fail('no parts') };
}

async function runOn(
  service: RunningService,
  options: Partial<RunOptions> = {},
  target: object = {},
): Promise<Run> {
  const { contract } = await loadCatalogue();
  const described = targetFromObject({ ...service.target, ...target }, 'test', contract);
  const run = await Run.open({ target: described, options: { ...defaultOptions, ...options } });
  open.push(() => run.close());
  return run;
}

async function evaluate(run: Run): Promise<readonly CaseResult[]> {
  const results = await Promise.all(run.plan.active.map((planned) => run.runCase(planned)));
  return [...results, ...(await run.conclude())];
}

const sessions = { operations: [ids.read], checks: ['surface/*', 'auth/good-key*'] };

// At once, as they wait more than they work: a run spreads its calls over seconds.
describe.concurrent('Run', () => {
  it('sends nothing before it is asked to', async () => {
    const { service } = await started();
    const run = await runOn(service);
    expect(run.observation.progress().traffic.requests).toBe(0);
    expect(run.plan.active.length).toBeGreaterThan(100);
  });

  it.each([1, 40, 120])(
    'cancels the sessions that are open at an interruption, after %i requests',
    async (after) => {
      const { service, parts } = await started();
      const { sessions } = parts;
      const opened: string[] = [];
      const open = sessions.open.bind(sessions);
      sessions.open = (...args) => {
        const session = open(...args);
        opened.push(session.sessionId);
        return session;
      };
      const run = await runOn(service, { rate: 100 });
      let count = 0;
      run.context.recorder.on('exchange', () => {
        count += 1;
        if (count === after) run.interrupt();
      });
      const results = await Promise.all(run.plan.active.map((planned) => run.runCase(planned)));
      results.push(...(await run.conclude()));
      expect(results.filter(({ outcome }) => outcome === 'fail' || outcome === 'error')).toEqual([]);
      expect(new Set(results.map(({ message }) => message))).toContain(interruptedReason);
      expect(opened.filter((id) => sessions.find(id).status === 'open')).toEqual([]);
    },
  );

  it('does the preflight once', async () => {
    const { service } = await started();
    const run = await runOn(service);
    expect(await run.preflight()).toBe(await run.preflight());
  });

  it('gives one result for every planned case and every pair that is not applicable', async () => {
    const { service } = await started();
    const run = await runOn(service, { operations: [ids.identity, ids.bootstrap] });
    const results = await evaluate(run);
    const { active, passive, collective, notApplicable } = run.plan;
    expect(results.map(({ operation, check }) => `${operation}/${check}`).sort()).toEqual(
      [...active, ...passive, ...collective, ...notApplicable].map(({ id }) => id).sort(),
    );
    expect(results.filter(({ outcome }) => outcome === 'fail' || outcome === 'error')).toEqual([]);
  });

  it('cancels in the end what it opened', async () => {
    const { service, parts } = await started();
    await evaluate(await runOn(service, sessions));
    expect(parts.sessions.byId.size).toBeGreaterThan(0);
    expect([...parts.sessions.byId.values()].filter(({ status }) => status === 'open')).toEqual([]);
  });

  it('cleans up though the budget of the cases is spent', async () => {
    const { service, parts } = await started();
    const run = await runOn(service, { ...sessions, maxRequests: 45 });
    for (let times = 0; times < 10; times += 1) await evaluate(run);
    expect(run.observation.progress().traffic.requests).toBeLessThanOrEqual(45);
    expect([...parts.sessions.byId.values()].filter(({ status }) => status === 'open')).toEqual([]);
  });

  it('makes no session in a read-only run', async () => {
    const { service, parts } = await started();
    const results = await evaluate(await runOn(service, { ...sessions, readOnly: true }));
    expect(parts.sessions.byId.size).toBe(0);
    expect(results.find(({ check }) => check === 'surface/valid-call-is-answered')).toMatchObject({
      outcome: 'inconclusive',
      remedy: 'run without --read-only',
    });
  });

  it('calls every case inconclusive where the target is not there', async () => {
    const { service } = await started();
    const run = await runOn(service, sessions);
    await service.close();
    const results = await evaluate(run);
    expect(new Set(results.map(({ outcome }) => outcome))).not.toContain('pass');
    expect(results.filter(({ outcome }) => outcome === 'fail' || outcome === 'error')).toEqual([]);
    expect((await run.preflight()).unreachable).toContain('does not answer');
  });

  it('says which lines are missing, and which cases they would decide', async () => {
    const { service } = await started();
    const run = await runOn(service, sessions, { bodies: {}, captures: {} });
    const outlook = [...run.outlook().values()];
    expect(outlook.map(({ need }) => need.reason)).toContain(`no valid body of ${ids.create} is known`);
    expect(outlook[0]?.cases.length).toBeGreaterThan(0);
  });

  it('writes no key into results, though the target echoes it everywhere', async () => {
    const { service } = await started({
      alter: [
        (parts) => {
          const render = parts.renderError;
          parts.renderError = (problem, call) => {
            const answer = render(problem, call);
            const echoed = JSON.stringify({ ...JSON.parse(answer.body.toString()), echo: call.credentials });
            return {
              ...answer,
              headers: { ...answer.headers, 'x-echo': String(call.credentials) },
              body: Buffer.from(echoed),
            };
          };
          parts.authorise = () => undefined;
        },
      ],
    });
    const run = await runOn(service, {
      operations: ['*Hosted*'],
      checks: ['auth/**', 'scope/**', 'errors/**'],
    });
    const written = JSON.stringify(await evaluate(run)).toLowerCase();
    const { scoped, unscoped } = service.target.keys;
    for (const key of [scoped, unscoped]) {
      expect(written).not.toContain(key.toLowerCase());
      expect(written).not.toContain(key.slice(0, -1).toLowerCase());
      expect(written).not.toContain(Buffer.from(key).toString('base64').slice(0, 20).toLowerCase());
    }
    expect(written).toContain('<unscoped key>');
  });

  it('sends the same requests in each case for the same seed', async () => {
    const asked = async (seed: number): Promise<readonly string[]> => {
      const requests: string[] = [];
      const { service } = await started();
      const run = await runOn(service, {
        seed,
        operations: [ids.product, ids.identity],
        // Those that draw by the seed and do not wait.
        checks: ['auth/invalid*', 'auth/key-counts*', 'resource/unknown*'],
      });
      // The preflight asks another operation where the first is slow to answer.
      run.context.recorder.on('exchange', ({ id, role, request: { method, path, headers, credential } }) => {
        if (role !== 'preflight')
          requests.push(
            [id, method, path, credential.description, new Map(headers).get('authorization')].join(' '),
          );
      });
      await evaluate(run);
      return requests.sort();
    };
    const first = await asked(7);
    expect(await asked(7)).toEqual(first);
    expect(await asked(8)).not.toEqual(first);
  });

  it('sends all random inputs where the budget has room for them', async () => {
    const { service } = await started();
    const run = await runOn(service, { maxRequests: 6_000 });
    const explored =
      run.plan.active.find(({ id }) => id === `${ids.product}/resource/any-path-value-is-answered`) ??
      expect.fail('no such case');
    const { operation } = explored;
    const random: string[] = [];
    run.context.recorder.on('exchange', ({ label }) => {
      if (label.endsWith('random value')) random.push(label);
    });
    await run.runCase(explored);
    expect(random).toHaveLength(defaultOptions.fuzzRuns * operation.pathParameters.length);
  });

  it('gives every exchange an id of its own, cleaning up too', async () => {
    const ids: string[] = [];
    const { service } = await started({
      alter: [
        (parts) => {
          const admit = parts.admit;
          parts.admit = (call) => {
            ids.push(String(call.request.headers['x-request-id']));
            return admit(call);
          };
        },
      ],
    });
    await evaluate(await runOn(service, sessions));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('does not fail a conforming service whose products have small numbers for slugs', async () => {
    const { service } = await started({
      alter: [
        (parts) => {
          const operations: Record<string, OperationHandler> = parts.operations;
          const answer = operations[ids.product];
          const [product] = parts.catalogue.products;
          // Products 1 to 500 exist.
          if (answer === undefined) throw new Error('the service has no product operation');
          operations[ids.product] = (call) =>
            answer({
              ...call,
              parameters: {
                slug: /^[1-9]\d{0,2}$/.test(call.parameters['slug'] ?? '') ? (product?.slug ?? '') : 'x',
              },
            });
        },
      ],
    });
    const run = await runOn(
      service,
      { operations: [ids.product], checks: ['resource/unknown*'] },
      { parameters: { ...service.target.parameters, [ids.product]: { slug: '42' } } },
    );
    expect((await evaluate(run)).filter(({ outcome }) => outcome === 'fail')).toEqual([]);
  });

  it.each([undefined, 'Mozilla/5.0'])(
    "finds the service's own page under 403 in a run with the User-Agent %s",
    async (userAgent) => {
      const { service } = await started({
        alter: [
          (parts) =>
            changeAnswers(parts, { status: 403 }, (answer) =>
              withBody(answer, '<!doctype html><title>Forbidden</title>', 'text/html'),
            ),
        ],
      });
      const check = 'errors/error-body-is-json-object';
      const run = await runOn(service, { operations: [ids.create], checks: [check, 'scope/*'], userAgent });
      const results = await evaluate(run);
      expect(results.find((one) => one.check === check)?.outcome).toBe('fail');
    },
  );
});
