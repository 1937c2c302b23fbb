import { describe } from 'vitest';
import { hostileTargets } from '../fixtures/hostile/all-hostile.ts';
import { test } from './cli-for-tests.ts';
import { runHostile } from './run-hostile-for-tests.ts';

/** A few quick ones of each family; npm run test:hostile runs them all. */
const everyday = [
  'never-answers',
  'headers-drip',
  'resets-in-headers',
  'closes-after-answers-without-a-word',
  'bodies-of-200-megabytes',
  'brotli-bombs',
  'headers-never-end',
  'speaks-ssh',
  'chunk-sizes-are-words',
  'redirects-elsewhere',
  'is-a-captive-portal',
  'json-holds-terminal-escapes',
  'dies-and-stays-dead',
  'dies-and-comes-back',
  'certificate-is-self-signed',
];

describe.concurrent('a hostile target', () => {
  test.for(everyday)('%s', async (name, { folder }) => {
    const hostile = hostileTargets.find((target) => target.name === name);
    if (hostile === undefined) throw new Error(`there is no hostile target ${name}`);
    await runHostile(hostile, folder);
  });
});
