import type { EvidenceOutcome } from '../../evidence/evidence-writer.ts';
import type { Protocol } from '../../http/exchange.ts';
import type { CaseResult, Peers, Slowed } from '../../model/report.ts';
import type { Preflight } from '../../target/preflight.ts';
import { relieveMemory } from './memory-valve.ts';
import type { Observed } from './observation.ts';
import { type Headway, Run, type RunInput } from './run.ts';
import { runSchedule } from './schedule.ts';
import { withoutSecrets } from './without-secrets.ts';

/** The report of a run about itself at its end. */
export interface Closing extends Observed {
  readonly preflight: Preflight;
  /** Why the run ended early, such as a target that stopped answering. */
  readonly died: string | undefined;
  readonly slowed?: Slowed | undefined;
  readonly protocol?: Protocol;
  readonly peers?: Peers;
  /** Whether the evidence was written; undefined where none was requested. */
  readonly evidence?: EvidenceOutcome | undefined;
}

/** The progress of a run. */
export interface Pulse extends Pick<Observed, 'coverage' | 'traffic'> {
  readonly headway?: Headway;
}

/** A message from a run to the thread that started it; holds no secrets. */
export type RunMessage =
  | { readonly kind: 'result'; readonly result: CaseResult }
  | { readonly kind: 'pulse'; readonly pulse: Pulse }
  | { readonly kind: 'closing'; readonly closing: Closing };

const pulseEveryMs = 100;

/** Conducts a run from its first request to its last; posts the result of every case, and at the end the closing. */
export async function conductRun(
  input: RunInput,
  tell: (message: RunMessage) => void,
  onInterrupt: (interrupt: () => void) => void,
): Promise<void> {
  const run = await Run.open(input);
  const { context, observation } = run;
  context.recorder.on('exchange', relieveMemory);
  onInterrupt(() => run.interrupt());
  const pulses = setInterval(() => {
    tell({ kind: 'pulse', pulse: { ...observation.progress(), headway: run.headway() } });
  }, pulseEveryMs);
  try {
    await runSchedule(run, {
      onResult: (result) => tell({ kind: 'result', result: withoutSecrets(context.secrets, result) }),
    });
    const closing: Closing = {
      preflight: await run.preflight(),
      protocol: context.client.protocol,
      peers: context.client.peers,
      died: context.monitor.stopReason,
      slowed: run.slowed(),
      ...observation.observed(),
      evidence: run.finishEvidence(),
    };
    tell({ kind: 'closing', closing: withoutSecrets(context.secrets, closing) });
  } finally {
    clearInterval(pulses);
    await run.close();
  }
}
