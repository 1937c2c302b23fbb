import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import type { Fault } from '../../fixtures/faults/fault.ts';
import { startFault } from '../../fixtures/faults/start-fault.ts';
import { type RunningService, startService } from '../../fixtures/reference-service/start-service.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Finding } from '../../harness/model/report.ts';
import { sequenceScript } from '../../harness/results/fresh-reproductions.ts';
import { evaluateService } from './evaluate-service.ts';

/** Faults that need more than a sequence of commands. */
const beyondSequences = [
  // Shows only where two requests are under way at once.
  'concurrent-session-reads-are-swapped',
  'a-login-is-consumed-on-another-replica-too',
  // Shows only after the cleanup of another sequence.
  'session-created-after-a-cancel-is-stillborn',
  // The totals depend on other baskets, which a script does not create.
  'totals-are-those-of-another-basket',
];

const faults = allFaults.filter(
  ({ name, breaks, missed }) =>
    missed === undefined &&
    !beyondSequences.includes(name) &&
    /^(?:session|login\/return-is)/.test(breaks.check ?? ''),
);

describe.concurrent('the script of a sequence finding', () => {
  test.for(faults.map((fault) => [fault.name, fault] as const))('%s', async ([, fault]) => {
    const services = await Promise.all([startFault(fault), startFault(fault), startService()]);
    const [tested, fresh, healthy] = services;
    try {
      const finding = await sequenceFindingOf(fault, tested);
      const recorded = comparable(
        (finding.steps ?? []).map(({ response, failure }: Exchange) => ({
          status: failure === undefined ? String(response?.status) : '000',
          body: response?.body.text ?? '',
        })),
      );
      // Some faults depend on the sessions that the service has already seen.
      const repeated = [await runScript(finding, tested), await runScript(finding, fresh)];
      expect(repeated.map(comparable)).toContainEqual(recorded);
      expect(comparable(await runScript(finding, healthy))).not.toEqual(recorded);
    } finally {
      await Promise.all(services.map((service) => service.close()));
    }
  });
});

async function sequenceFindingOf(
  { breaks: { check = '' }, needs }: Fault,
  service: RunningService,
): Promise<Finding> {
  const { results } = await evaluateService(service, { options: { checks: [check], ...needs } });
  const findings = results.flatMap((result) => (result.check === check ? result.findings : []));
  const found = findings.find(({ steps }) => steps !== undefined);
  return found ?? expect.fail(`no finding with steps among ${findings.length}`);
}

interface Response {
  readonly status: string;
  readonly body: string;
}

async function runScript(finding: Finding, { baseUrl, target }: RunningService): Promise<Response[]> {
  const script = sequenceScript(finding, baseUrl, []) ?? expect.fail('no script');
  const { stdout } = await promisify(execFile)('sh', ['-c', script], {
    env: {
      PATH: process.env['PATH'],
      COMMERCE_KEY: target.keys?.scoped,
      COMMERCE_KEY_UNSCOPED: target.keys?.unscoped,
    },
  });
  return [...stdout.matchAll(/^ {2}now: +(\d{3})\n([\s\S]*?)\n(?=\n)/gm)].map(
    ([, status = '', body = '']) => ({
      status,
      body,
    }),
  );
}

/** Responses without what differs from run to run: times are left out, and issued values numbered. */
function comparable(responses: readonly Response[]): readonly string[] {
  const numbers = new Map<string, number>();
  const numberOf = (value: string): string => {
    if (!numbers.has(value)) numbers.set(value, numbers.size + 1);
    return `#${numbers.get(value)}`;
  };
  return responses.map(({ status, body }) =>
    `${status} ${body.trim()}`
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(/"requestId":"[^"]*"/g, '')
      .replaceAll(/127\.0\.0\.1:\d+/g, '<host>')
      .replaceAll(/\b(?=[\w-]*\d)[\w-]{16,}/g, numberOf),
  );
}
