import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that may gather before it is looked what of them is garbage. */
const slack = 24 * 1024 * 1024;

let collect: (() => void) | undefined;
let threshold = Number.POSITIVE_INFINITY;

/**
 * Collects garbage earlier than V8 does, which takes all the memory of the machine for its own: floods of headers and
 * bodies leave much garbage and hold on to little. To be called now and then.
 */
export function relieveMemory(): void {
  const used = usedBytes();
  // What was collected last is given back bit by bit, so that the use goes on falling for a while.
  threshold = Math.min(threshold, used + slack);
  if (used < threshold) return;
  collect ??= collector();
  collect();
  threshold = usedBytes() + slack;
}

function usedBytes(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

/** Node gives it only to who asks for it on its command line. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
