import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** When a running process started, in the words of the system; undefined where there is no such process. */
export function startOfProcess(pid: number): string | undefined {
  try {
    // The name, in parentheses, may hold anything; the start is the 20th field behind it.
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : fields[18];
  } catch {
    if (process.platform === 'linux') return undefined;
  }
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined;
  }
  if (process.platform === 'win32') return 'running';
  try {
    const options = { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } } as const;
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], options).trim() || 'running';
  } catch {
    return 'running';
  }
}
