import { describe, expect, it } from 'vitest';
import type { CaseClient } from '../calls/case-client.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';
import { attemptControl } from './steady-control.ts';
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
