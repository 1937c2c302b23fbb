import type { EvidenceOutcome } from '../../evidence/evidence-writer.ts';
import type { Moments } from '../../evidence/spell-ledger.ts';
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
  readonly moments: Moments;
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
  const { context, observation } = run;
  context.recorder.subscribe(relieveMemory);
  onInterrupt(() => run.interrupt());
  const pulses = setInterval(() => {
    const pulse = {
      traffic: observation.traffic(),
      coverage: observation.coverage(),
      headway: run.headway(),
    };
    tell({ kind: 'pulse', pulse });
  }, pulseInterval);
  try {
    const planned = new Set(plannedCases(run.plan).map(({ id }) => id));
    const unplanned: CaseResult[] = [];
    await runSchedule(run, {
      onResult: (result) => {
        if (!planned.has(caseIdOf(result))) unplanned.push(result);
        else tell({ kind: 'result', result: withoutSecrets(context.secrets, result) });
      },
    });
    const closing: Closing = {
      preflight: await run.preflight(),
      protocol: context.client.protocol,
      peers: context.client.peers,
      died: context.monitor.stopReason,
      slowed: run.slowed(),
      results: unplanned,
      coverage: observation.coverage(),
      traffic: observation.traffic(),
      shapes: observation.shapes(),
      moments: observation.moments(),
      evidence: run.finishEvidence(),
    };
    tell({ kind: 'closing', closing: withoutSecrets(context.secrets, closing) });
  } finally {
    clearInterval(pulses);
    await run.close();
  }
}
