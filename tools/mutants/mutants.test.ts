import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCli } from '../../cli/in-process-for-tests.ts';
import { chooseMutant } from './choose-mutant.ts';
import { makeOriginals } from './originals.ts';
import { runMutant } from './run-mutant.ts';
import { subjects } from './subjects.ts';

/** A sample; npm run test:mutants has thousands, and those of certificates. */
const count = 24;

test('a sample of mutants ends in a result or a message', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mutants-'));
  try {
    const cli = (args: readonly string[], cwd: string): Promise<unknown> => callCli(args, { cwd });
    const originals = await makeOriginals(folder, cli, async (made) => made);
    const endings = new Map<number, number>();
    for (let number = 0; number < count; number += 1) {
      const mutant = chooseMutant(subjects, originals, { seed: 1, number });
      const { objections, exitCode } = await runMutant(mutant);
      expect(objections, `${mutant.subject} ${number}`).toEqual([]);
      endings.set(exitCode, (endings.get(exitCode) ?? 0) + 1);
    }
    // Mutants that are all refused, or all accepted, would show nothing.
    expect(endings.get(2)).toBeGreaterThan(count / 4);
    expect(endings.get(0)).toBeGreaterThan(0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
