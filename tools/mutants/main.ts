import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { packageRoot } from '../../spec/package-root.ts';
import { readFlags } from '../read-flags.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { allSubjects } from './all-subjects.ts';
import { type CertifiedOriginals, certifyOriginals } from './certified-originals.ts';
import { chooseMutant } from './choose-mutant.ts';
import { makeOriginals } from './originals.ts';
import { type Finding, runMutants } from './supervise.ts';

const { values } = readFlags({
  options: {
    seed: { type: 'string', multiple: true, default: ['1'] },
    count: { type: 'string', default: '5000' },
    /** The number of the first mutant, to run a seed in parts. */
    from: { type: 'string', default: '0' },
    /** The number of one mutant. */
    only: { type: 'string' },
    /** A file of originals that later runs share; made where it is absent. */
    originals: { type: 'string' },
    /** Where the files of mutants with objections go. */
    keep: { type: 'string', default: 'mutants' },
  },
});

const keep = resolve(values.keep);
const temporary = await temporaryFolder();
// An interrupted process removes its folder as it exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
try {
  const file = resolve(values.originals ?? join(temporary.path, 'originals.json'));
  if (!existsSync(file)) {
    const folder = join(temporary.path, 'originals');
    const made = await makeOriginals(folder, cli, (plain) => certifyOriginals(plain, folder, cli));
    await writeFile(file, JSON.stringify(made));
  }
  const originals = JSON.parse(await readFile(file, 'utf8')) as CertifiedOriginals;
  const numbers =
    values.only === undefined
      ? Array.from({ length: Number(values.count) }, (_, at) => Number(values.from) + at)
      : [Number(values.only)];
  for (const seed of values.seed.map(Number)) {
    const findings = await runSeed(seed, numbers, { file, originals });
    if (findings.length > 0) process.exitCode = 1;
  }
} finally {
  await temporary.remove();
}

async function runSeed(
  seed: number,
  numbers: readonly number[],
  { file, originals }: { readonly file: string; readonly originals: CertifiedOriginals },
): Promise<readonly Finding[]> {
  const started = performance.now();
  const workers = Math.min(availableParallelism(), numbers.length);
  let slowest = { number: 0, ms: 0 };
  const findings = (
    await Promise.all(
      Array.from({ length: workers }, (_, worker) =>
        runMutants(
          numbers.filter((_number, at) => at % workers === worker),
          { originals: file, seed, folder: temporary.path },
          (number, ms) => {
            if (ms > slowest.ms) slowest = { number, ms };
          },
        ),
      ),
    )
  ).flat();
  for (const { number, objections } of findings) {
    const { subject, args, files } = chooseMutant(allSubjects, originals, { seed, number });
    const folder = join(keep, `${seed}-${number}`);
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    const name = `${subject} (--seed ${seed} --only ${number})`;
    process.stdout.write(`${name}\n  ${args.join(' ')}\n    ${objections.join('\n    ')}\n`);
  }
  if (findings.length > 0) await writeFile(join(keep, 'originals.json'), JSON.stringify(originals));
  process.stdout.write(
    `seed ${seed}: ${numbers.length} mutants from ${numbers[0]}, ${findings.length} with objections, the slowest took ${Math.round(slowest.ms)} ms (${slowest.number}); ` +
      `${((performance.now() - started) / 1000).toFixed(0)} s\n`,
  );
  return findings;
}

function cli(args: readonly string[], folder: string): Promise<void> {
  const program = join(packageRoot, 'dist/cli/main.js');
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    child.once('error', fail);
    child.once('close', (code) =>
      code === 0 || code === 1 || code === 3 ? done() : fail(new Error(`${args.join(' ')}: ${said}`)),
    );
  });
}
