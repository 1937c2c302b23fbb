import { describe } from 'vitest';
import { hostileTargets } from '../fixtures/hostile/all-hostile.ts';
import type { HostileTarget } from '../fixtures/hostile/hostile-target.ts';
import { test } from './cli-for-tests.ts';
import { runHostile } from './run-hostile-for-tests.ts';

/** Those that only wait come first, so that the others have the processors to themselves. */
const ordered = [...hostileTargets].sort((a, b) => Number(b.slow ?? false) - Number(a.slow ?? false));

describe.concurrent('a hostile target', () => {
  test.for(ordered)('$name', async (hostile: HostileTarget, { folder }) => {
    await runHostile(hostile, folder);
  });
});
