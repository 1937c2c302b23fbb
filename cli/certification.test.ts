import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test } from '../e2e/in-process-for-tests.ts';

describe('run --certify', () => {
  test('refuses a limit that a conforming service may reach, and sends nothing', async ({
    folder,
    startCountingServer,
    refused,
  }) => {
    const server = await startCountingServer();
    await writeFile(
      join(folder, 'target.yaml'),
      `baseUrl: ${server.baseUrl}\noptions: { maxRequests: 2000 }\n`,
    );
    const ofFile = ['run', '--certify', '--target', 'target.yaml'];
    for (const args of [ofFile, [...ofFile, '--max-requests', '3000']]) {
      await refused(args, /--max-requests \d000 may be too few: \d{4} suffice/, {
        COMMERCE_KEY: 'some-good-key',
      });
    }
    expect(server.requests).toBe(0);
  });
});
