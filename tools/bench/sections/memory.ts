import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '../../../spec/package-root.ts';
import type { Section } from '../section.ts';

/** The memory and handles of a process in a long run. */
export const memoryHeld: Section = {
  name: 'memory',
  title: 'Memory, sockets and handles in a long run',
  method:
    'A new process sends a million fuzz exchanges to the reference service in another process. It measures itself after 10,000, ' +
    '100,000 and 1,000,000: the heap after a collection, resident memory, open file descriptors (sockets among them), and the ' +
    'handles that keep the event loop alive.',
  async measure() {
    const module = join(packageRoot, 'dist/tools/bench/memory-process.js');
    const child = fork(module, { execArgv: ['--expose-gc'] });
    const rows: Array<readonly string[]> = [];
    child.on('message', (row) => rows.push(row as readonly string[]));
    await once(child, 'exit');
    const sizes = ['heap after GC, MB', 'RSS, MB', 'peak RSS, MB'];
    return { head: ['exchanges', ...sizes, 'descriptors', 'handles', 'seconds'], rows };
  },
};
