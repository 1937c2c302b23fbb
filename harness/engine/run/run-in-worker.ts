import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageRoot } from '../../../spec/package-root.ts';
import type { CaseResult } from '../../model/report.ts';
import { caseIdOf } from '../../results/case-result.ts';
import type { Closing, Pulse, RunMessage } from './conduct-run.ts';
import { relieveMemory } from './memory-valve.ts';
import type { RunInput } from './run.ts';

/** Callbacks of a run. */
export interface RunListener {
  /** Called when the worker thread has started, so that this thread is free. */
  readonly onStart?: () => void;
  readonly onProgress: (received: ReceivedMessages) => void;
  readonly onInterrupt: (interrupt: () => void) => void;
}

/** The outcome of a run. */
export interface FinishedRun extends Pick<ReceivedMessages, 'results' | 'closing' | 'lastPulse'> {
  readonly interrupted: boolean;
  /** Errors of the harness itself, for a bug report. */
  readonly defects: readonly string[];
}

/** Milliseconds after which an interrupted run is terminated: the process must end within two seconds. */
const endAfterMs = 1_500;

/** Conducts a run in a worker thread, and ends that thread where an interrupted run does not end by itself. */
export async function runInWorker(input: RunInput, listener: RunListener): Promise<FinishedRun> {
  const received = new ReceivedMessages(listener.onProgress);
  const defects: string[] = [];
  let interrupted = false;
  let giveUp: NodeJS.Timeout | undefined;
  const worker = new Worker(join(packageRoot, 'dist', 'run-worker.js'), {
    workerData: input,
    // A thread with a file refuses the flag of a program that is given as text.
    ...(process.execArgv.some((flag) => flag.startsWith('--input-type')) && { execArgv: [] }),
    // Output of custom checks must not mix with a report on stdout.
    stdout: true,
  });
  worker.stdout.pipe(process.stderr, { end: false });
  const over = new Promise<void>((resolve) => {
    worker.on('message', (message: RunMessage) => received.take(message));
    worker.on('error', (error) => defects.push((error as Error).stack ?? String(error)));
    worker.on('exit', () => resolve());
  });
  listener.onStart?.();
  listener.onInterrupt(() => {
    if (interrupted) return;
    interrupted = true;
    worker.postMessage('interrupt');
    giveUp = setTimeout(() => void worker.terminate(), endAfterMs);
  });
  await over;
  clearTimeout(giveUp);
  return { ...received, interrupted, defects };
}

/** What a run has told so far. */
export class ReceivedMessages {
  /** By `operationId/area/slug`; at its end also those that are not planned, because they are not applicable. */
  readonly results: Map<string, CaseResult> = new Map();
  /** Undefined where the run did not finish. */
  closing: Closing | undefined;
  lastPulse: Pulse | undefined;
  failures = 0;
  readonly #onProgress: RunListener['onProgress'];

  constructor(onProgress: RunListener['onProgress']) {
    this.#onProgress = onProgress;
  }

  take(message: RunMessage): void {
    if (message.kind === 'closing') this.closing = message.closing;
    else if (message.kind === 'pulse') {
      this.lastPulse = message.pulse;
      relieveMemory();
    } else {
      const { result } = message;
      this.results.set(caseIdOf(result), result);
      if (result.outcome === 'fail') this.failures += 1;
    }
    this.#onProgress(this);
  }
}
