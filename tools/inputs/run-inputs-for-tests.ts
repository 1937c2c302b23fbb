import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { callCli } from '../../e2e/in-process-for-tests.ts';
import { seededRandom } from '../../harness/seeded-random.ts';
import { makeOriginals } from './originals-for-tests.ts';
import { certificateSubjects, type Input, subjects } from './subjects-for-tests.ts';

/** Milliseconds of processor time that an input may take. */
const longestMs = 10_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const stackTrace = /^\s*at .*:\d+:\d+\)?$/m;

const prototypes = { Object, Array, String, Function };
const builtIns = membersOf();

/** How the commands ended, and what no input may cause, with the number and the seed that repeat it. */
export interface Outcome {
  readonly endings: ReadonlyMap<number, number>;
  readonly objections: readonly string[];
}

/** Reads so many mutated files through the command line, in this process. */
export async function runInputs(options: {
  readonly count: number;
  readonly seed: number;
  readonly withCertificates: boolean;
}): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-inputs-'));
  try {
    const originals = await makeOriginals(join(folder, 'originals'), options.withCertificates);
    const kinds = options.withCertificates ? [...subjects, ...certificateSubjects] : subjects;
    const weighted = kinds.flatMap((subject) => Array<typeof subject>(subject.weight).fill(subject));
    const endings = new Map<number, number>();
    const objections: string[] = [];
    for (let number = 0; number < options.count; number += 1) {
      const random = seededRandom(options.seed, 'inputs', String(number));
      const subject = weighted[Math.floor(random() * weighted.length)];
      if (subject === undefined) throw new Error('there is no subject');
      const place = join(folder, String(number));
      const ended = await runInput(place, subject.mutate(originals, random));
      await rm(place, { recursive: true });
      endings.set(ended.exitCode, (endings.get(ended.exitCode) ?? 0) + 1);
      const name = `${subject.name}, seed ${options.seed}, number ${number}`;
      objections.push(...ended.objections.map((one) => `${name}: ${one}`));
    }
    return { endings, objections };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runInput(
  folder: string,
  { files, args }: Input,
): Promise<{ readonly exitCode: number; readonly objections: readonly string[] }> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const before = process.cpuUsage();
  const { exitCode, stdout, stderr } = await callCli(args, { cwd: folder });
  const { user, system } = process.cpuUsage(before);
  const output = stdout + stderr;
  const polluted = membersOf().filter((member) => !builtIns.includes(member));
  return {
    exitCode,
    objections: [
      // 130 stands for the merged report of an interrupted run.
      ...([0, 1, 2, 3, 130].includes(exitCode) ? [] : [`exit code ${exitCode}`]),
      ...(stackTrace.test(output) ? [`a stack trace: ${JSON.stringify(output.slice(-1_000))}`] : []),
      ...controlsIn('the output', output),
      ...(await controlsInFiles(folder, Object.keys(files))),
      ...polluted.map((member) => `${member} was added`),
      ...((user + system) / 1000 > longestMs ? [`${(user + system) / 1000} ms of processor time`] : []),
    ].map((objection) => `${args.join(' ')}: ${objection}`),
  };
}

/** Control characters in the files that the command wrote. */
async function controlsInFiles(folder: string, given: readonly string[]): Promise<readonly string[]> {
  const objections: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || given.some((one) => join(folder, one) === path)) continue;
    // The site of a register holds the files of the vendor as they are.
    if (path.includes('/site/entries/') && /\.(?:json|har)$/.test(path)) continue;
    objections.push(...controlsIn(entry.name, await readFile(path, 'utf8')));
  }
  return objections;
}

function controlsIn(where: string, text: string): readonly string[] {
  const at = control.exec(text)?.index;
  return at === undefined
    ? []
    : [`a control character in ${where}: ${JSON.stringify(text.slice(Math.max(0, at - 60), at + 20))}`];
}

function membersOf(): readonly string[] {
  return Object.entries(prototypes).flatMap(([name, { prototype }]) =>
    Object.getOwnPropertyNames(prototype).map((member) => `${name}.prototype.${member}`),
  );
}
