import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Action, Job, Step } from './workflow-file-for-tests.ts';

/** The contexts that expressions read, by their names with dots, such as `inputs.target`. */
export type Contexts = Readonly<Record<string, string>>;

/** What is around a job. */
export interface Runner {
  /** The checkout. */
  readonly workspace: string;
  /** Whatever else belongs to the runner, and the artifacts. */
  readonly folder: string;
  /** The environment of the job. */
  readonly env?: Readonly<Record<string, string>>;
  /** The action that stands behind each `uses: ./…`. */
  readonly action: Action;
  /** Where that action lies. */
  readonly actionPath: string;
  /** Is told of each shell that is started. */
  readonly onShell?: (shell: ChildProcess) => void;
}

/** What came of a step or a job. */
export interface Outcome {
  readonly exitCode: number;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** Puts values in place of `${{ … }}`; what is not known is an error here, though GitHub takes it for empty. */
export function expand(text: string, contexts: Contexts): string {
  return text.replace(/\$\{\{(.+?)\}\}/g, (_all, expression: string) => lookUp(expression.trim(), contexts));
}

function lookUp(expression: string, contexts: Contexts): string {
  const value = contexts[expression];
  // Steps that did not run have no outputs.
  if (value === undefined && /^steps\..+\.outputs\./.test(expression)) return '';
  if (value === undefined) throw new Error(`nothing is known of ${expression}`);
  return value;
}

/** Whether a step runs, after those before it `failed` or did not. */
function holds(condition: string | undefined, contexts: Contexts, failed: boolean): boolean {
  const terms = (condition ?? 'success()').replace(/^\$\{\{(.+)\}\}$/, '$1').split('&&');
  const asked = terms.map((term) => term.trim());
  const always = asked.some((term) => term === 'always()' || term === '!cancelled()');
  if (failed && !always) return false;
  return asked.every((term) => {
    if (/^(always|success)\(\)$|^!cancelled\(\)$/.test(term)) return true;
    const [, left = '', operator, right = ''] = /^(\S+) (==|!=) '(.*)'$/.exec(term) ?? [];
    if (operator === undefined) throw new Error(`the condition ${term} is not understood`);
    return (lookUp(left, contexts) === right) === (operator === '==');
  });
}

/** Runs the steps of a job one after the other, as a runner of GitHub does; checkouts are taken as done. */
export async function runJob(
  { steps = [], outputs = {} }: Job,
  contexts: Contexts,
  runner: Runner,
): Promise<Outcome> {
  const all = await runSteps(steps, { ...contexts, 'runner.temp': await temporary(runner) }, runner);
  return { ...all, outputs: expandAll(outputs, all.contexts) };
}

/** Runs the composite action with inputs and the environment of its step. */
export async function runAction(
  given: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
  runner: Runner,
): Promise<Outcome> {
  const { inputs, outputs, runs } = runner.action;
  const unknown = Object.keys(given).filter((name) => inputs[name] === undefined);
  if (unknown.length > 0) throw new Error(`the action has no input ${unknown.join(', ')}`);
  const contexts = Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [
      `inputs.${name}`,
      given[name] ?? `${input.default ?? ''}`,
    ]),
  );
  const inside = { ...runner, env: { ...runner.env, ...env } };
  const all = await runSteps(runs.steps, contexts, inside);
  const values = Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value]));
  return { ...all, outputs: expandAll(values, all.contexts) };
}

async function runSteps(
  steps: readonly Step[],
  given: Contexts,
  runner: Runner,
): Promise<Outcome & { readonly contexts: Contexts }> {
  let contexts = given;
  let exitCode = 0;
  let log = '';
  for (const step of steps) {
    if (!holds(step.if, contexts, exitCode !== 0)) continue;
    const done = await runStep(step, contexts, runner);
    log += done.log;
    if (exitCode === 0 && step['continue-on-error'] !== true) exitCode = done.exitCode;
    for (const [name, value] of Object.entries(done.outputs)) {
      contexts = { ...contexts, [`steps.${step.id}.outputs.${name}`]: value };
    }
  }
  return { exitCode, log, outputs: {}, contexts };
}

async function runStep(step: Step, contexts: Contexts, runner: Runner): Promise<Outcome> {
  const env = expandAll(step.env ?? {}, contexts);
  const inputs = expandAll(step.with ?? {}, contexts);
  if (step.run !== undefined) {
    const place = expand(step['working-directory'] ?? '.', contexts);
    return runShell(step.run, place, { ...runner, env: { ...runner.env, ...env } });
  }
  const uses = step.uses ?? '';
  if (uses.startsWith('./')) return runAction(inputs, env, runner);
  const [name] = uses.split('@');
  const done = { exitCode: 0, log: '', outputs: {} };
  const artifacts = join(runner.folder, 'artifacts');
  if (name === 'actions/upload-artifact') {
    const kept = join(artifacts, inputs['name'] ?? 'artifact');
    if (inputs['overwrite'] === 'true') await rm(kept, { recursive: true, force: true });
    await cp(resolve(runner.workspace, inputs['path'] ?? ''), kept, { recursive: true, errorOnExist: true });
  } else if (name === 'actions/download-artifact') {
    const start = (inputs['pattern'] ?? '').replace(/\*$/, '');
    const names = (await readdir(artifacts)).filter((one) => one.startsWith(start));
    for (const one of names) {
      // One alone gets no folder of its own, whatever the pattern.
      const to = names.length === 1 ? (inputs['path'] ?? '') : join(inputs['path'] ?? '', basename(one));
      await cp(join(artifacts, one), to, { recursive: true });
    }
  } else if (name !== 'actions/checkout' && name !== 'actions/setup-node') {
    throw new Error(`${uses} is not known here`);
  }
  return done;
}

let count = 0;

/** Runs a script as GitHub runs `shell: bash`; gives what it wrote as outputs. */
export async function runShell(script: string, place: string, runner: Runner): Promise<Outcome> {
  const temp = await temporary(runner);
  count += 1;
  const [file, output] = [join(temp, `${count}.sh`), join(temp, `${count}.output`)];
  await writeFile(file, script);
  await writeFile(output, '');
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file], {
    cwd: resolve(runner.workspace, place),
    env: {
      PATH: process.env['PATH'],
      HOME: runner.folder,
      RUNNER_TEMP: temp,
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION_PATH: runner.actionPath,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: join(runner.folder, 'summary.md'),
      ...runner.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  runner.onShell?.(child);
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk));
  const exitCode = await new Promise<number>((done, fail) => {
    child.once('error', fail).once('close', (code) => done(code ?? 1));
  });
  return { exitCode, log, outputs: outputsIn(await readFile(output, 'utf8')) };
}

/** Reads what stands as lines of name and value; nothing here writes values of more lines. */
function outputsIn(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=');
      if (at < 1) throw new Error(`${line} is no output`);
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );
}

function expandAll(
  values: Readonly<Record<string, string | number | boolean>>,
  contexts: Contexts,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, expand(`${value}`, contexts)]),
  );
}

async function temporary({ folder }: Runner): Promise<string> {
  const temp = join(folder, 'temp');
  await mkdir(temp, { recursive: true });
  return temp;
}

/** Puts an executable script where a package manager would put the command. */
export async function writeProgram(path: string, script: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, script, { mode: 0o755 });
}
