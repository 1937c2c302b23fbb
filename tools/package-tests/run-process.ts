import { spawn } from 'node:child_process';

/** Where, as whom and for how long a process runs. */
export interface Circumstances {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** User and group; that of this process if left out. */
  readonly id?: number | undefined;
  readonly timeoutMs?: number;
}

/** What a process left behind. */
export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const running = new Set<number>();

/** Kills what runs, with all that it started. */
export function killRunning(): void {
  for (const group of running) process.kill(-group, 'SIGKILL');
}

/** Runs a command to its end; past its time, it and all that it started are killed. */
export function runProcess(
  command: string,
  args: readonly string[],
  { cwd, env, id, timeoutMs = 240_000 }: Circumstances,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      ...(id === undefined ? {} : { uid: id, gid: id }),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: npx and npm start what they run.
      detached: true,
    });
    if (child.pid !== undefined) running.add(child.pid);
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      output.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output.stderr += chunk;
    });
    const timer = setTimeout(() => {
      output.stderr += `\nkilled after ${timeoutMs / 1000} s`;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, timeoutMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (exitCode) => {
      clearTimeout(timer);
      if (child.pid !== undefined) running.delete(child.pid);
      resolve({ exitCode, ...output });
    });
  });
}

/** Like `runProcess`, but throws with the last lines of its output where the command fails. */
export async function runSuccessfully(
  command: string,
  args: readonly string[],
  circumstances: Circumstances,
): Promise<Ended> {
  const ended = await runProcess(command, args, circumstances);
  if (ended.exitCode === 0) return ended;
  const said = `${ended.stdout}\n${ended.stderr}`.trim().split('\n').slice(-20).join('\n');
  throw new Error(`${[command, ...args].join(' ')}\nended with ${ended.exitCode}:\n${said}`);
}
