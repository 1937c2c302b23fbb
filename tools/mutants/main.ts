import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import picomatch from 'picomatch';
import { seededRandom } from '../../harness/seeded-random.ts';
import { packageRoot } from '../../spec/package-root.ts';
import { readFlags } from '../read-flags.ts';
import { mutantsIn } from './mutants-in.ts';

const { values } = readFlags({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    /** A glob of source files. */
    only: { type: 'string', default: '{api,cli,harness,reporters,spec,suites}/**' },
  },
});

/** Milliseconds after which the tests of a mutant count as hanging. */
const longestMs = 600_000;

/** A copy of the last commit, so that nobody else sees the mutants. */
const folder = mkdtempSync(join(tmpdir(), 'conformance-mutants-'));
const copy = join(folder, 'copy');
execFileSync('git', ['worktree', 'add', '--quiet', '--detach', copy], { cwd: packageRoot });
process.once('exit', () =>
  execFileSync('git', ['worktree', 'remove', '--force', copy], { cwd: packageRoot }),
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
symlinkSync(join(packageRoot, 'node_modules'), join(copy, 'node_modules'));

if (!passes(['run'])) {
  process.stderr.write('npm test fails on the last commit, without a mutant\n');
  process.exit(2);
}
const isMeant = picomatch(values.only);
const files = execFileSync('git', ['ls-files', '*.ts'], { cwd: copy, encoding: 'utf8' })
  .split('\n')
  .filter((file) => isMeant(file) && !/(?:\.(?:test|examples|suite)|-for-tests)\.ts$/.test(file));
const all = files.flatMap((file) =>
  mutantsIn(readFileSync(join(copy, file), 'utf8')).map((mutant) => ({ file, ...mutant })),
);
const random = seededRandom(Number(values.seed), 'mutants');
let found = 0;
let drawn = 0;
for (; drawn < Number(values.count) && all.length > 0; drawn += 1) {
  const [mutant] = all.splice(Math.floor(random() * all.length), 1);
  if (mutant === undefined) break;
  const path = join(copy, mutant.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end));
  const isFound = !passes(['related', '--run', '--bail=1', mutant.file]);
  writeFileSync(path, text);
  if (isFound) found += 1;
  const line = text.slice(0, mutant.start).split('\n').length;
  const change = `${text.slice(mutant.start, mutant.end)} → ${mutant.replacement || 'nothing'}`;
  const shown = change.replaceAll(/\s+/g, ' ').slice(0, 160);
  process.stdout.write(`${isFound ? 'found   ' : 'survives'} ${mutant.file}:${line}: ${shown}\n`);
}
process.stdout.write(`${found} of ${drawn} mutants found by npm test\n`);

/** Whether the tests of `npm test` pass in the copy: all of them, or those that import a file. */
function passes(args: readonly string[]): boolean {
  const vitest = ['node_modules/vitest/vitest.mjs', ...args, '--project', 'self', '--passWithNoTests'];
  const { status } = spawnSync(process.execPath, vitest, { cwd: copy, stdio: 'ignore', timeout: longestMs });
  return status === 0;
}
