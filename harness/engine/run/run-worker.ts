import { parentPort, workerData } from 'node:worker_threads';
import { conductRun } from './conduct-run.ts';
import type { RunInput } from './run.ts';

// The thread of a run: an evaluation that does not end cannot keep the process from ending.
const port = parentPort;
if (port === null) throw new Error('this module runs in a worker thread only');
await conductRun(
  workerData as RunInput,
  (message) => port.postMessage(message),
  // The only message that comes is the one that interrupts.
  (interrupt) => port.on('message', interrupt),
);
port.close();
