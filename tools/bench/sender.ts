import type { PathInput } from './path-inputs.ts';

/** One way of making a request and reading its answer. */
export interface Sender {
  /** Resolves when the answer is done with. */
  send(input: PathInput): Promise<void>;
  close(): Promise<void>;
}

/** Sends inputs in turn, so many at once, until `mayGoOn` says no; gives how many were sent. */
export async function sendWhile(
  sender: Sender,
  inputs: readonly PathInput[],
  concurrency: number,
  mayGoOn: (sent: number) => boolean,
): Promise<number> {
  let sent = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (mayGoOn(sent)) {
        const input = inputs[sent % inputs.length];
        sent += 1;
        if (input !== undefined) await sender.send(input);
      }
    }),
  );
  return sent;
}
