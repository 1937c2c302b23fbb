import type { Fault } from '../fixtures/faults/fault.ts';
import { startFault } from '../fixtures/faults/start-fault.ts';
import { startVariant } from '../fixtures/variants/start-variant.ts';
import type { Variant } from '../fixtures/variants/variant.ts';
import type { CaseResult } from '../harness/report/report.ts';
import type { RunOptions } from '../harness/running/run-options.ts';
import { judgeService } from './judge-service.ts';

/** What came of proving one fault or variant at one seed. */
export interface Proof {
  readonly kind: 'fault' | 'variant';
  readonly name: string;
  readonly seed: number;
  /** What does not hold; empty where all is as it must be. */
  readonly objections: readonly string[];
  readonly requests: number;
  readonly durationMs: number;
}

/** Loopback answers at once: what does not answer within this never will. */
const proofOptions: Partial<RunOptions> = { timeoutMs: 2_000, patienceMs: 6_000 };

/** Judges a service with a fault: the named check must fail at the named operation, and no other operation be accused. */
export async function proveFault(fault: Fault, seed: number): Promise<Proof> {
  return timed('fault', fault.name, seed, async () => {
    const service = await startFault(fault);
    try {
      const { results, traffic } = await judgeService(service, { ...proofOptions, seed });
      return { objections: objectionsToFault(fault, results), requests: traffic.requests };
    } finally {
      await service.close();
    }
  });
}

/** Judges an odd but lawful service: nothing may fail, nothing be warned of but what the variant says. */
export async function proveVariant(variant: Variant, seed: number): Promise<Proof> {
  return timed('variant', variant.name, seed, async () => {
    const service = await startVariant(variant);
    try {
      const { results, traffic } = await judgeService(service, { ...proofOptions, seed });
      const warned = new Set(variant.warns ?? []);
      const alarms = results.filter(
        ({ outcome, requirement }) =>
          outcome === 'fail' || outcome === 'error' || (outcome === 'warn' && !warned.has(requirement)),
      );
      return { objections: alarms.map(describe), requests: traffic.requests };
    } finally {
      await service.close();
    }
  });
}

async function timed(
  kind: Proof['kind'],
  name: string,
  seed: number,
  prove: () => Promise<Pick<Proof, 'objections' | 'requests'>>,
): Promise<Proof> {
  const started = performance.now();
  const proved = await prove();
  return { kind, name, seed, ...proved, durationMs: Math.round(performance.now() - started) };
}

function objectionsToFault(fault: Fault, results: readonly CaseResult[]): readonly string[] {
  const { check, operation, requirement, actual } = fault.breaks;
  const objections: string[] = [];
  const named = results.find((result) => result.check === check && result.operation === operation);
  if (named === undefined) objections.push(`${check} does not judge ${operation}`);
  else if (named.outcome !== 'fail') {
    objections.push(`missed: ${check} says ${named.outcome} at ${operation}: ${named.message}`);
  } else {
    if (named.requirement !== requirement)
      objections.push(`${check} tests ${named.requirement}, not ${requirement}`);
    const said = named.findings.map((finding) => `got ${finding.actual}`);
    if (actual !== undefined && !said.some((text) => text.includes(actual))) {
      objections.push(`the findings say ${said.join(', ')}, none of them ${actual}`);
    }
  }
  const strays = results.filter(
    (result) =>
      result.outcome === 'error' ||
      ((result.outcome === 'fail' || result.outcome === 'warn') && result.operation !== operation),
  );
  return [...objections, ...strays.map((stray) => `stray: ${describe(stray)}`)];
}

function describe(result: CaseResult): string {
  const seen = result.expected === null ? '' : ` (expected ${result.expected}, got ${result.actual})`;
  return `${result.outcome} ${result.requirement} ${result.check} at ${result.operation}: ${result.message}${seen}`;
}
