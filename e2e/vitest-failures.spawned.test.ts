import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { packageRoot } from '../spec/package-root.ts';
import { test } from './in-process-for-tests.ts';

const run = promisify(execFile);

test('a failed test names the fix, the finding, and how to replay it', async ({ serve }) => {
  const { file } = await serve('--fault', 'second-cancel-crashes');
  const vitest = join(packageRoot, 'node_modules', 'vitest', 'vitest.mjs');
  const name = 'SESSION-2 cancelHostedCheckoutSession: A fresh session';
  const failure = await run(process.execPath, [vitest, 'run', '--project', 'conformance', '-t', name], {
    cwd: packageRoot,
    env: { ...process.env, CONFORMANCE_TARGET: file, NO_COLOR: '1' },
  }).catch(({ stderr }) => String(stderr));
  expect(failure).toMatch(/^fix: Make the transition once, /m);
  expect(failure).toMatch(
    /^seen in 3 of 3 tries · seed 1 · finding ([0-9a-f]{8})\nnpx commerce-conformance run --target \S+ --operation cancelHostedCheckoutSession; npx commerce-conformance replay \1 --script \| sh$/m,
  );
});
