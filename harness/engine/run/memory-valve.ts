import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Growth in bytes after which garbage is collected. */
const slack = 24 * 1024 * 1024;

let collect: (() => void) | undefined;
let threshold = Number.POSITIVE_INFINITY;

/**
 * Collects garbage earlier than V8, which waits while the machine has free memory: floods of headers and bodies leave
 * much garbage. Call it regularly.
 */
export function relieveMemory(): void {
  const used = usedBytes();
  // V8 returns memory step by step, so that usage keeps falling for a while after a collection.
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

/** Node exposes it only with this flag. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
