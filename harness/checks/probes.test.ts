import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CaseClient } from '../requests/case-client.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';
import { attemptControl } from './attempt-control.ts';
import { discoverChecks } from './discover-checks.ts';
import type { Step } from './step.ts';

function clientThat(call: () => Promise<unknown>, keys: object = {}): CaseClient {
  return { call, keys } as unknown as CaseClient;
}

const step: Step = { step: 'valid', role: 'control', label: 'valid call' };

describe('attemptControl', () => {
  it('gives nothing where the call was made', async () => {
    expect(
      await attemptControl(
        clientThat(async () => ({})),
        step,
      ),
    ).toBeUndefined();
  });

  it('gives the reason where no valid call is known', async () => {
    const missing = new InconclusiveError('no body', { remedy: 'add it' });
    expect(
      await attemptControl(
        clientThat(() => Promise.reject(missing)),
        step,
      ),
    ).toBe(missing);
  });

  it.each([new InconclusiveError('later', { transient: true }), new Error('broken')])(
    'throws %s',
    async (error) => {
      await expect(
        attemptControl(
          clientThat(() => Promise.reject(error)),
          step,
        ),
      ).rejects.toBe(error);
    },
  );
});

describe('discoverChecks', () => {
  it('finds every check below a folder, its id being its path', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'checks-'));
    try {
      await mkdir(join(folder, 'b', 'deep'), { recursive: true });
      await mkdir(join(folder, 'a'));
      const files = ['b/deep/two.check.ts', 'a/one.check.ts', 'a/one.test.ts', 'a/check.ts', 'a/x.check.js'];
      for (const file of files) await writeFile(join(folder, file), "export default { kind: 'active' };");
      const found = await discoverChecks(folder);
      expect(found.map(({ id, area, kind }) => [id, area, kind])).toEqual([
        ['a/one', 'a', 'active'],
        ['b/deep/two', 'b', 'active'],
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
