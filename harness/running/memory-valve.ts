import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that may gather before it is looked what of them is garbage. */
const slack = 32 * 1024 * 1024;

let collect: (() => void) | undefined;
let threshold = 0;

/**
 * Collects garbage earlier than V8 does, which takes all the memory of the machine for its own: floods of headers and
 * bodies leave much garbage and hold on to little. To be called now and then.
 */
export function relieveMemory(): void {
  const used = usedBytes();
  if (used < threshold) return;
  if (threshold > 0) {
    collect ??= collector();
    collect();
  }
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
