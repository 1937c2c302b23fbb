import { inject } from 'vitest';
import type { EvidenceOutcome } from '../evidence/evidence-writer.ts';
import type { Protocol } from '../http/connections.ts';
import type { CaseResult, CoverageEntry, Peers, ShapeEntry, Slowed, Traffic } from '../model/report.ts';
import type { Preflight } from '../target/preflight.ts';
import { interruptMessage } from './interrupt-message.ts';
import { relieveMemory } from './memory-valve.ts';
import { type Headway, Run, type RunInput } from './run.ts';

/** What the last suite reports about the whole run. */
export interface Closing {
  readonly preflight: Preflight;
  /** Why the run ended early, such as a target that stopped answering. */
  readonly died: string | undefined;
  /** Results of cases without a test, because they are not applicable. */
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

/** Progress that the suites send to the main thread. */
export interface Pulse {
  readonly traffic: Traffic;
  readonly coverage: readonly CoverageEntry[];
  readonly headway?: Headway;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The target and the options of the run. */
    run: RunInput;
    /** Name of the BroadcastChannel on which pulses are sent; empty for none. */
    pulses: string;
  }
  interface TaskMeta {
    /** Set by every test that stands for a case. */
    result?: CaseResult;
    /** Set by the last test. */
    closing?: Closing;
  }
}

/** Milliseconds between two pulses. */
const pulseInterval = 100;

let current: Promise<Run> | undefined;

/** The one run that all suite files of this thread share. */
export function currentRun(): Promise<Run> {
  current ??= openRun();
  return current;
}

async function openRun(): Promise<Run> {
  const run = await Run.open(inject('run'));
  run.subscribe(relieveMemory);
  const name = inject('pulses');
  if (name !== '') {
    const channel = new BroadcastChannel(name);
    channel.onmessage = (event) => {
      if ((event as unknown as { readonly data: unknown }).data === interruptMessage) run.interrupt();
    };
    channel.unref?.();
    setInterval(
      () =>
        channel.postMessage({
          traffic: run.traffic(),
          coverage: run.coverage(),
          headway: run.headway(),
        } satisfies Pulse),
      pulseInterval,
    ).unref();
  }
  return run;
}

/** Members that hold words and ids of the harness, which a key that is a word must not change. */
const ours: ReadonlySet<string> = new Set([
  'operation',
  'check',
  'requirement',
  'level',
  'outcome',
  'id',
  'role',
  'kind',
  'source',
  'connection',
  'encoding',
  'json',
  'exchanges',
]);

/** A copy without registered secrets, for other threads. */
export function withoutSecrets<T>(run: Run, value: T): T {
  const copy = (member: unknown, isOurs: boolean): unknown => {
    if (typeof member === 'string') return isOurs ? member : run.redact(member);
    if (Array.isArray(member)) return member.map((inner: unknown) => copy(inner, isOurs));
    if (typeof member !== 'object' || member === null) return member;
    return Object.fromEntries(
      Object.entries(member)
        .filter(([, inner]) => inner !== undefined)
        .map(([name, inner]) => [name, copy(inner, ours.has(name))]),
    );
  };
  return copy(value, false) as T;
}
