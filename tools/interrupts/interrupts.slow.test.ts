import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageRoot } from '../../spec/package-root.ts';

test('interrupted commands leave nothing behind; npm run test:interrupts tries 50 moments of each', {
  timeout: 300_000,
}, async () => {
  const tool = join(packageRoot, 'dist/tools/interrupts/main.js');
  const { stdout } = await promisify(execFile)(process.execPath, [tool, '--count', '3']);
  expect(stdout.match(/3 moments of \d+ ms, 0 with objections/g)).toHaveLength(8);
});
