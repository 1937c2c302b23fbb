import { execFileSync } from 'node:child_process';
import { lstat, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeAtomically } from './write-atomically.ts';

test.skipIf(process.platform === 'win32')(
  'a pipe in the place of a file is written to, and stays one',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'conformance-pipe-'));
    const path = join(folder, 'out');
    try {
      execFileSync('mkfifo', [path]);
      const [text] = await Promise.all([readFile(path, 'utf8'), writeAtomically(path, 'all of it')]);
      expect(text).toBe('all of it');
      expect((await lstat(path)).isFIFO()).toBe(true);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
