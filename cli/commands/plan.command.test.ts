import { describe, expect } from 'vitest';
import { callCli, test } from '../../e2e/in-process-for-tests.ts';

describe('plan', () => {
  test('counts cases and requests, and sends none', async ({ startCountingServer }) => {
    const server = await startCountingServer();
    const { exitCode, stdout } = await callCli([
      'plan',
      '--base-url',
      server.baseUrl,
      '--key',
      'some-good-key',
    ]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^auth\/invalid-key-is-refused +11 cases +\d+ requests$/m);
    const counts = [...stdout.matchAll(/^.* operations +(\d+) requests$/gm)].map(([, count]) =>
      Number(count),
    );
    const total = /^At most (\d+) requests if nothing is wrong/m.exec(stdout)?.[1];
    expect(stdout).toMatch(
      /^What varies:\n(?:.* operations +\d+ requests\n)*credential +16 operations +\d+ requests$/m,
    );
    expect(counts.reduce((sum, count) => sum + count)).toBe(Number(total));
    expect(stdout).toMatch(
      /\d+ cases on 25 operations\.\nAt most \d+ requests .* Limit of the run: \d{4} requests/,
    );
    expect(server.requests).toBe(0);
  });

  test('narrows down to what is asked for', async () => {
    const { stdout } = await callCli(['plan', '--check', 'AUTH-1', '--operation', 'listPublic*']);
    expect(stdout).toMatch(
      /^auth\/public-read-needs-no-credentials +\d cases +\d+ requests\nauth\/public-reads-are-never-refused .*\n\nWhat varies:\nnone: valid calls and comparisons +\d operations +\d+ requests\ncredential +\d operations +\d+ requests\n\n\d+ cases on \d operations/,
    );
  });
});
