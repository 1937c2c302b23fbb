import { inject } from 'vitest';
import type { EvidenceOutcome } from '../evidence/evidence-writer.ts';
import type { Protocol } from '../http/connections.ts';
import type { CaseResult, CoverageEntry, ShapeEntry, Traffic } from '../model/report.ts';
import type { Preflight } from '../target/preflight.ts';
import { relieveMemory } from './memory-valve.ts';
import { Run, type RunInput } from './run.ts';

/** What the last suite says of the run as a whole. */
export interface Closing {
  readonly preflight: Preflight;
  /** Why the run was ended before its time, such as that the target stopped answering. */
  readonly died: string | undefined;
  /** Results of cases that no test stands for, because they are not applicable. */
  readonly results: readonly CaseResult[];
  readonly coverage: readonly CoverageEntry[];
  readonly traffic: Traffic;
  readonly shapes: readonly ShapeEntry[];
  /** The protocol that the target was spoken to in. */
  readonly protocol?: Protocol;
  /** What became of the evidence; undefined where none was asked for. */
  readonly evidence?: EvidenceOutcome | undefined;
}

/** What the suites tell the other thread while they run. */
export interface Pulse {
  readonly traffic: Traffic;
  readonly coverage: readonly CoverageEntry[];
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
    channel.unref?.();
    setInterval(
      () => channel.postMessage({ traffic: run.traffic(), coverage: run.coverage() }),
      pulseInterval,
    ).unref();
  }
  return run;
}

/** Members whose texts are words and ids of the harness, which a key that is a word must not change. */
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
]);

/** A copy in which no registered secret is left, for handing out of the run. */
export function withoutSecrets<T>(run: Run, value: T): T {
  return JSON.parse(JSON.stringify(value), (name, member: unknown) =>
    typeof member === 'string' && !ours.has(name) ? run.redact(member) : member,
  ) as T;
}
