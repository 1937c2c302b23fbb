import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test } from './in-process-for-tests.ts';

/** Arguments that name the file `special`, or the folder `reports` in which it has the name of a report or of its evidence. */
const readers: ReadonlyArray<readonly [string, readonly string[], string]> = [
  ['target', ['plan', '--target', 'special'], 'special'],
  ['document', ['plan', '--base-url', 'http://127.0.0.1:9', '--spec', 'special'], 'special'],
  ['authority', ['plan', '--base-url', 'https://127.0.0.1:9', '--ca', 'special'], 'special'],
  [
    'signing key',
    ['run', '--base-url', 'http://127.0.0.1:9', '--certify', '--sign-key', 'special'],
    'special',
  ],
  ['baseline', ['run', '--base-url', 'http://127.0.0.1:9', '--baseline', 'special'], 'special'],
  ['report to render', ['render', 'special', '--format', 'junit'], 'special'],
  ['report to compare', ['diff', 'special', 'special'], 'special'],
  ['report to replay', ['replay', 'abc', '--report', 'special'], 'special'],
  ['report to merge', ['merge', 'reports'], 'reports/report.json'],
  [
    'report to accept',
    ['baseline', 'special', '--owner', 'a', '--reason', 'b', '--expires', '2030-01-01'],
    'special',
  ],
  ['certificate', ['verify', 'reports'], 'reports/certificate.json'],
  ['public key', ['verify', 'reports', '--public-key', 'special'], 'special'],
  ['owner key', ['register', 'reports', '--out', 'site', '--owner-key', 'special'], 'special'],
  [
    'key that countersigns',
    ['countersign', 'reports', '--spot-check', 'a', '--sign-key', 'special'],
    'special',
  ],
  [
    'challenge',
    ['run', '--base-url', 'http://127.0.0.1:9', '--certify', '--development', '--challenge', 'special'],
    'special',
  ],
  [
    'client certificate',
    ['plan', '--base-url', 'https://127.0.0.1:9', '--client-cert', 'special', '--client-key', 'special'],
    'special',
  ],
];

const kinds = {
  'a named pipe': async (path: string): Promise<void> => void execFileSync('mkfifo', [path]),
  'a link to a device without end': (path: string): Promise<void> => symlink('/dev/zero', path),
  'a file of 500 MB': async (path: string): Promise<void> => {
    await writeFile(path, '');
    await truncate(path, 500 * 1024 * 1024);
  },
};

describe.skipIf(process.platform === 'win32')('refused as the file that is read', () => {
  for (const [kind, create] of Object.entries(kinds)) {
    test.for(readers)(`${kind}: %s`, async ([, args, path], { folder, cli }) => {
      await mkdir(join(folder, 'reports'));
      await create(join(folder, path));
      const { exitCode, stdout, stderr } = await cli([...args]);
      // What is too large to be verified is not thereby wrong.
      expect([2, 3]).toContain(exitCode);
      expect(stdout + stderr).toMatch(/not a regular file|larger than/);
    });
  }

  test('a named pipe in place of the evidence of a shard', async ({ folder }) => {
    execFileSync('mkfifo', [join(folder, 'evidence.har')]);
    const { digestOfFile } = await import('../harness/evidence/byte-source.ts');
    await expect(digestOfFile(join(folder, 'evidence.har'))).rejects.toThrow('it is not a regular file');
  });
});
