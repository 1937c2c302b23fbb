import type { Run } from '../harness/engine/run.ts';
import { EndingSignals, exitCodeOfSignal } from './ending-signals.ts';

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
    return signals.received === undefined ? exitCode : exitCodeOfSignal(signals.received);
  } catch (error) {
    if (signals.received === undefined) throw error;
    return exitCodeOfSignal(signals.received);
  } finally {
    signals.release();
  }
}
