import { describe, expect, it } from 'vitest';
import type { CaseClient } from '../calls/case-client.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';
import { attemptControl } from './steady-control.ts';
import type { Step } from './step.ts';

const step: Step = { step: 'valid', role: 'control', label: 'valid call' };

function attempt(call: () => Promise<unknown>): ReturnType<typeof attemptControl> {
  return attemptControl({ call } as unknown as CaseClient, step);
}

describe('attemptControl', () => {
  it('gives nothing where the call was made', async () => {
    expect(await attempt(async () => ({}))).toBeUndefined();
  });

  it('gives the reason where no valid call is known', async () => {
    const missing = new InconclusiveError('no body', { remedy: 'add it' });
    expect(await attempt(() => Promise.reject(missing))).toBe(missing);
  });

  it.each([new InconclusiveError('later', { transient: true }), new Error('broken')])(
    'throws %s',
    async (error) => {
      await expect(attempt(() => Promise.reject(error))).rejects.toBe(error);
    },
  );
});
