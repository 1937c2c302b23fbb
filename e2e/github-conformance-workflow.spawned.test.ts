import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { packageRoot } from '../spec/package-root.ts';
import { programScript, readReport, test } from './cli-for-tests.ts';
import { type Action, type CalledWorkflow, type Job, readYaml } from './workflow-file-for-tests.ts';
import {
  type Contexts,
  expand,
  type Outcome,
  type Runner,
  runJob,
  writeProgram,
} from './workflow-runner-for-tests.ts';

const action = await readYaml<Action>('action.yml');
const workflow = await readYaml<CalledWorkflow>('.github/workflows/conformance.yml');
const { inputs, outputs } = workflow.on.workflow_call;

function job(name: string): Job {
  const found = workflow.jobs[name];
  if (found === undefined) throw new Error(`there is no job ${name}`);
  return found;
}

/** Calls the workflow: each job on a runner of its own, with nothing in common but the artifacts. */
async function call(
  given: Readonly<Record<string, string>>,
  folder: string,
): Promise<Readonly<Record<'plan' | 'verdict', Outcome>> & { readonly shards: readonly Outcome[] }> {
  const start = async (): Promise<Runner> => {
    const workspace = join(folder, 'workspace');
    await mkdir(workspace, { recursive: true });
    await writeProgram(join(workspace, 'node_modules', '.bin', 'commerce-conformance'), programScript);
    await writeProgram(join(folder, 'bin', 'npm'), '#!/bin/sh\n[ "$1" = ci ]\n');
    const PATH = `${join(folder, 'bin')}:${process.env['PATH']}`;
    return { workspace, folder: join(folder, 'runner'), action, actionPath: packageRoot, env: { PATH } };
  };
  const contexts: Contexts = {
    ...Object.fromEntries(
      Object.entries(inputs).map(([name, input]) => [
        `inputs.${name}`,
        given[name] ?? `${input.default ?? ''}`,
      ]),
    ),
    ...Object.fromEntries(
      Object.keys(workflow.on.workflow_call.secrets).map((name) => [`secrets.${name}`, '']),
    ),
    'inputs.version': 'installed',
    'job.workflow_repository': 'somebody/commerce-conformance',
    'job.workflow_sha': '0'.repeat(40),
  };
  const plan = await runJob(job('plan'), contexts, await start());
  const needs = { ...contexts, 'needs.plan.outputs.shards': plan.outputs['shards'] ?? '' };
  const listed = expand(String(job('shard').strategy?.matrix['shard']), {
    'fromJSON(needs.plan.outputs.shards)': plan.outputs['shards'] ?? '',
  });
  const shards: Outcome[] = [];
  for (const shard of JSON.parse(listed || '[]') as readonly number[]) {
    shards.push(await runJob(job('shard'), { ...needs, 'matrix.shard': `${shard}` }, await start()));
  }
  if (plan.exitCode !== 0) return { plan, shards, verdict: { exitCode: 1, log: '', outputs: {} } };
  return { plan, shards, verdict: await runJob(job('verdict'), needs, await start()) };
}

describe.concurrent('the workflow that others call', () => {
  test.for([
    { fault: [], shards: 1, exitCode: 0, verdict: 'incomplete' },
    {
      fault: ['--fault', 'missing-scope-is-answered-401'],
      shards: 3,
      exitCode: 1,
      verdict: 'non-conformant',
    },
  ])('joins $shards shards to $verdict', async ({ fault, shards, exitCode, verdict }, { folder, serve }) => {
    const { file } = await serve(...fault);
    const given = { target: file, shards: `${shards}`, arguments: '--check AUTH-1\n--check SCOPE-1' };
    const called = await call(given, folder);
    expect(called.plan.outputs).toEqual({
      shards: JSON.stringify(Array.from({ length: shards }, (_, at) => at + 1)),
    });
    expect(called.shards.map((shard) => shard.exitCode)).toEqual(Array(shards).fill(0));
    expect(called.verdict.exitCode, called.verdict.log).toBe(exitCode);
    const values = Object.fromEntries(
      Object.entries(called.verdict.outputs).map(([name, value]) => [`jobs.verdict.outputs.${name}`, value]),
    );
    const told = Object.fromEntries(
      Object.entries(outputs).map(([name, { value }]) => [name, expand(value, values)]),
    );
    const artifacts = join(folder, 'runner', 'artifacts');
    const { summary, run, complete } = await readReport(join(artifacts, 'conformance-report'));
    expect(run.shards).toBe(shards);
    const { pass, fail, warn, inconclusive, error } = summary;
    const counts = { pass, fail, warn, inconclusive, error };
    expect(told).toEqual({
      verdict,
      complete: `${complete}`,
      'exit-code': `${exitCode}`,
      ...Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, `${value}`])),
    });
    expect(await readdir(artifacts)).toHaveLength(shards + 1);
    expect(await readFile(join(folder, 'runner', 'summary.md'), 'utf8')).toContain(verdict);
  });

  test.for(['0', '-1', '1.5', '100', 'x'])('refuses %s shards', async (shards, { folder }) => {
    const { plan } = await call({ target: 'target.yaml', shards }, folder);
    expect(plan.exitCode).toBe(2);
    expect(plan.log).toContain('a whole number');
  });

  test('hands the keys to the step that sends, and to no other', () => {
    for (const [name, { steps = [], ...rest }] of Object.entries(workflow.jobs)) {
      expect(JSON.stringify(rest), name).not.toContain('secrets.');
      const holders = steps.filter((step) => JSON.stringify(step).includes('secrets.'));
      expect(holders.map(({ uses }) => uses)).toEqual(name === 'shard' ? ['./.commerce-conformance'] : []);
      for (const step of holders) expect(JSON.stringify(step.with)).not.toContain('secrets.');
    }
  });

  test('gives the verdict where a shard failed, and takes the action from where it stands itself', () => {
    expect(job('verdict').if).toContain('!cancelled()');
    expect(job('verdict').needs).toEqual(['plan', 'shard']);
    for (const name of ['shard', 'verdict']) {
      const own = job(name).steps?.find((step) => step.with?.['path'] === '.commerce-conformance');
      expect(own?.with).toMatchObject({
        repository: expect.stringContaining('job.workflow_repository'),
        ref: expect.stringContaining('job.workflow_sha'),
      });
    }
  });
});
