import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runProgram } from '../../cli/run-program.ts';
import type { Mutant } from './subject.ts';

/** What a mutant brought about that no input may. */
export interface Outcome {
  readonly exitCode: number;
  readonly output: string;
  readonly objections: readonly string[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const stackTrace = /^\s*at .*:\d+:\d+\)?$/m;

const builtIns: ReadonlyArray<readonly [string, object, readonly string[]]> = (
  [
    ['Object', Object.prototype],
    ['Array', Array.prototype],
    ['String', String.prototype],
    ['Function', Function.prototype],
  ] as const
).map(([name, prototype]) => [name, prototype, Object.getOwnPropertyNames(prototype)]);

/** Runs a mutant's command in this process, and says what of its end no input may bring about. */
export async function runMutant({ files, args }: Mutant): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'mutant-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    const { exitCode, output } = await captured(args, folder);
    const objections = [
      // 130 stands for the merged report of an interrupted run.
      ...([0, 1, 2, 3, 130].includes(exitCode) ? [] : [`exit code ${exitCode}`]),
      ...(stackTrace.test(output) ? [`a stack trace: ${JSON.stringify(output.slice(-1_000))}`] : []),
      ...(control.test(output) ? [`a control character in the output: ${excerpt(output)}`] : []),
      ...(await controlsInFiles(folder, Object.keys(files))),
      ...pollution(),
    ];
    return { exitCode, output, objections };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function captured(
  args: readonly string[],
  folder: string,
): Promise<{ readonly exitCode: number; readonly output: string }> {
  const { stdout, stderr } = process;
  const before = { folder: process.cwd(), out: stdout.write, err: stderr.write };
  let output = '';
  const write = (chunk: unknown): boolean => {
    output += String(chunk);
    return true;
  };
  process.chdir(folder);
  stdout.write = write;
  stderr.write = write;
  try {
    return { exitCode: await runProgram(['node', 'commerce-conformance', ...args]), output };
  } finally {
    stdout.write = before.out;
    stderr.write = before.err;
    process.chdir(before.folder);
  }
}

/** Control characters in the files that the command wrote. */
async function controlsInFiles(folder: string, given: readonly string[]): Promise<readonly string[]> {
  const objections: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || given.some((one) => join(folder, one) === path)) continue;
    const text = await readFile(path, 'utf8');
    // The site of a register holds the files of the vendor as they are.
    if (path.includes('/site/entries/') && /\.(?:json|har)$/.test(path)) continue;
    if (control.test(text)) objections.push(`a control character in ${entry.name}: ${excerpt(text)}`);
  }
  return objections;
}

function excerpt(text: string): string {
  const at = control.exec(text)?.index ?? 0;
  return JSON.stringify(text.slice(Math.max(0, at - 60), at + 20));
}

function pollution(): readonly string[] {
  return builtIns.flatMap(([name, prototype, names]) =>
    Object.getOwnPropertyNames(prototype)
      .filter((member) => !names.includes(member))
      .map((member) => `${name}.prototype.${member}`),
  );
}
