import { readFileSync } from 'node:fs';

/** The most memory that this process had at once, in bytes. On Linux not `maxRSS`, which counts what its parent had. */
export function peakMemory(): number {
  try {
    return 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  } catch {
    return 1024 * process.resourceUsage().maxRSS;
  }
}
