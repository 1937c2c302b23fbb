import { constants } from 'node:os';
import type { Run } from '../harness/engine/run/run.ts';

/** Ctrl-C, and the end of a CI job. */
const signals = ['SIGINT', 'SIGTERM'] as const;

/** A signal that ends a process. */
export type EndingSignal = (typeof signals)[number];

/** Milliseconds within which a second signal is the same key press: the terminal signals npx too, which passes it on. */
const samePress = 50;

/** The exit code that a shell gives to a process that a signal ended. */
function exitCodeOfSignal(signal: EndingSignal): number {
  return 128 + constants.signals[signal];
}

/**
 * Listens for signals that end a command: the first interrupts it if it can be interrupted, and otherwise ends the process
 * in an orderly way, as the second does.
 */
export class EndingSignals {
  interrupt: (() => void) | undefined;
  #first: { readonly signal: EndingSignal; readonly at: number } | undefined;
  readonly #listener = (signal: NodeJS.Signals): void => this.#receive(signal as EndingSignal);

  constructor() {
    for (const signal of signals) process.on(signal, this.#listener);
  }

  /** The signal that interrupted the run. */
  get received(): EndingSignal | undefined {
    return this.#first?.signal;
  }

  /** The exit code of a command that a signal may have interrupted. */
  exitCode(uninterrupted: number): number {
    return this.received === undefined ? uninterrupted : exitCodeOfSignal(this.received);
  }

  /** From now on the first signal only determines the exit code: the remaining work takes moments. */
  finishFirst(): void {
    this.interrupt = () => undefined;
  }

  /** From now on, a signal ends the process immediately. */
  release(): void {
    for (const signal of signals) process.removeListener(signal, this.#listener);
  }

  #receive(signal: EndingSignal): void {
    const first = this.#first;
    if (first !== undefined && first.signal === signal && performance.now() - first.at < samePress) return;
    if (first !== undefined || this.interrupt === undefined) process.exit(exitCodeOfSignal(signal));
    this.#first = { signal, at: performance.now() };
    this.interrupt();
  }
}

/** Receives each run of a command, so that a signal can interrupt it. */
export type OnRun = (run: Pick<Run, 'interrupt'>) => void;

/** Runs a command that asks a target: the first signal interrupts its runs, which cancel the sessions that they opened. */
export async function interruptible(command: (onRun: OnRun) => Promise<number>): Promise<number> {
  const signals = new EndingSignals();
  const runs: Array<Pick<Run, 'interrupt'>> = [];
  try {
    const exitCode = await command((run) => {
      runs.push(run);
      signals.interrupt = () => {
        for (const one of runs) one.interrupt();
      };
      if (signals.received !== undefined) run.interrupt();
    });
    return signals.exitCode(exitCode);
  } catch (error) {
    if (signals.received === undefined) throw error;
    return exitCodeOfSignal(signals.received);
  } finally {
    signals.release();
  }
}
