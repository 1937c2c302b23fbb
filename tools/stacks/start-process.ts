import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from './part.ts';

/** A process that listens on a port. */
export interface Started {
  readonly stop: () => Promise<void>;
}

const longestStart = 60_000;

/** Starts a program in a process group of its own, and resolves when the port accepts connections. */
export async function startProcess({ file, args, env }: Command, port: number): Promise<Started> {
  const child = spawn(file, args, {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin`, ...env },
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-2000);
  });
  const closed = once(child, 'close').catch((error: unknown) => {
    said += String(error);
  });
  let isOver = false;
  void closed.then(() => {
    isOver = true;
  });
  const end = (): void => {
    if (!isOver && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  };
  process.once('exit', end);
  const stop = async (): Promise<void> => {
    process.off('exit', end);
    end();
    await closed;
  };
  for (const since = Date.now(); !(await accepts(port)); await wait(50)) {
    if (isOver || Date.now() - since > longestStart) {
      await stop();
      throw new Error(`${file} does not listen on port ${port}: ${said.trim()}`);
    }
  }
  return { stop };
}

/** A port of the loopback that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
