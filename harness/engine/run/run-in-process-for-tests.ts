import { conductRun } from './conduct-run.ts';
import type { RunInput } from './run.ts';
import { type FinishedRun, ReceivedMessages, type RunListener } from './run-in-worker.ts';

/** Does what `runInWorker` does, in this thread and from source. */
export async function runInProcess(
  input: RunInput,
  { onStart, onProgress, onInterrupt }: RunListener,
): Promise<FinishedRun> {
  const received = new ReceivedMessages(onProgress);
  let interrupted = false;
  onStart?.();
  await conductRun(
    input,
    (message) => received.take(message),
    (interrupt) =>
      onInterrupt(() => {
        interrupted = true;
        interrupt();
      }),
  );
  return { ...received, interrupted, defects: [] };
}
