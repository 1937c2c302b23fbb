import type { EvidenceOutcome } from '../../evidence/evidence-writer.ts';
import type { Protocol } from '../../http/connections.ts';
import type { CaseResult, CoverageEntry, Peers, ShapeEntry, Slowed, Traffic } from '../../model/report.ts';
import { caseIdOf } from '../../results/case-result.ts';
import type { Preflight } from '../../target/preflight.ts';
import { relieveMemory } from './memory-valve.ts';
import { plannedCases } from './plan.ts';
import { type Headway, Run, type RunInput } from './run.ts';
import { runSchedule } from './schedule.ts';
import { withoutSecrets } from './without-secrets.ts';

/** What a run reports about itself when it is over. */
export interface Closing {
  readonly preflight: Preflight;
  /** Why the run ended early, such as a target that stopped answering. */
  readonly died: string | undefined;
  /** Results of cases that are not planned, because they are not applicable. */
  readonly results: readonly CaseResult[];
  readonly coverage: readonly CoverageEntry[];
  readonly traffic: Traffic;
  readonly shapes: readonly ShapeEntry[];
  readonly slowed?: Slowed | undefined;
  /** The protocol of the connections. */
  readonly protocol?: Protocol;
  /** Whom the connections reached. */
  readonly peers?: Peers;
  /** Whether the evidence was written; undefined where none was requested. */
  readonly evidence?: EvidenceOutcome | undefined;
}

/** The progress of a run. */
export interface Pulse {
  readonly traffic: Traffic;
  readonly coverage: readonly CoverageEntry[];
  readonly headway?: Headway;
}

/** What a run tells the thread that started it; holds no secrets. */
export type RunMessage =
  | { readonly kind: 'result'; readonly result: CaseResult }
  | { readonly kind: 'pulse'; readonly pulse: Pulse }
  | { readonly kind: 'closing'; readonly closing: Closing };

/** Milliseconds between two pulses. */
const pulseInterval = 100;

/** Conducts a run from its first request to its last; tells the result of every planned case, and at the end the closing. */
export async function conductRun(
  input: RunInput,
  tell: (message: RunMessage) => void,
  onInterrupt: (interrupt: () => void) => void,
): Promise<void> {
  const run = await Run.open(input);
  run.subscribe(relieveMemory);
  onInterrupt(() => run.interrupt());
  const pulse = (): Pulse => ({
    traffic: run.traffic(),
    coverage: run.coverage(),
    headway: run.headway(),
  });
  const pulses = setInterval(() => tell({ kind: 'pulse', pulse: pulse() }), pulseInterval);
  try {
    const redacting = { redact: (text: string) => run.redact(text) };
    const planned = new Set(plannedCases(run.plan).map(({ id }) => id));
    const unplanned: CaseResult[] = [];
    await runSchedule(run, {
      onResult: (result) => {
        if (!planned.has(caseIdOf(result))) unplanned.push(result);
        else tell({ kind: 'result', result: withoutSecrets(redacting, result) });
      },
    });
    const closing: Closing = {
      preflight: await run.preflight(),
      protocol: run.protocol,
      peers: run.peers,
      died: run.died,
      slowed: run.slowed(),
      results: unplanned,
      coverage: run.coverage(),
      traffic: run.traffic(),
      shapes: run.shapes(),
      evidence: run.finishEvidence(),
    };
    tell({ kind: 'closing', closing: withoutSecrets(redacting, closing) });
  } finally {
    clearInterval(pulses);
    await run.close();
  }
}
