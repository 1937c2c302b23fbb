import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { packageRoot } from '../spec/package-root.ts';
import { readReport, test, typeLine } from './cli-for-tests.ts';
import type { Workflow, Job as WorkflowJob } from './workflow-file-for-tests.ts';
import { type Contexts, expand } from './workflow-runner-for-tests.ts';

const examples = join(packageRoot, 'docs', 'examples');
const read = (name: string): Promise<string> => readFile(join(examples, name), 'utf8');

interface Job {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly completionMode?: string;
    readonly completions?: number;
    readonly parallelism?: number;
    readonly template: {
      readonly spec: {
        readonly containers: readonly [
          {
            readonly command: readonly string[];
            readonly args: readonly [string];
            readonly env?: ReadonlyArray<{ readonly name: string; readonly value: string }>;
            readonly image: string;
          },
        ];
      };
    };
  };
}

/** The command lines of a job, expressions put in. */
function commands({ steps = [] }: WorkflowJob, values: Contexts): string[] {
  return steps.flatMap(({ run }) => (run === undefined || run === 'npm ci' ? [] : [expand(run, values)]));
}

/** Runs a command line as a shell of CI does. */
async function shell(...given: Parameters<typeof typeLine>): Promise<number | null> {
  return (await typeLine(...given)).exitCode;
}

/** A target file that asks for little, so that a run takes moments. */
async function littleTarget(served: string, path: string): Promise<void> {
  await writeFile(path, `${await readFile(served, 'utf8')}options: { check: [AUTH-1, SCOPE-1] }\n`);
}

describe.concurrent('the examples of docs/continuous-integration.md', () => {
  test.for([
    { fault: [], verdict: 0 },
    { fault: ['--fault', 'missing-scope-is-answered-401'], verdict: 1 },
  ])('shards.github.yml, with $fault, ends with $verdict', async ({ fault, verdict }, { folder, serve }) => {
    const { jobs } = parse(await read('shards.github.yml')) as Workflow;
    const { shard, verdict: last } = jobs;
    if (shard === undefined || last === undefined) throw new Error('a job is missing');
    const matrix = (shard.strategy?.matrix['shard'] ?? []) as number[];
    expect(matrix).toEqual(matrix.map((_, at) => at + 1));
    expect(last.needs).toBe('shard');
    expect(last.if).toContain('!cancelled()');
    const { file } = await serve(...fault);
    await littleTarget(file, join(folder, 'target.yaml'));
    for (const index of matrix) {
      const values = { 'matrix.shard': `${index}`, 'strategy.job-total': `${matrix.length}` };
      const [line = '', ...others] = commands(shard, values);
      expect(others).toEqual([]);
      expect(await shell(line, folder), line).toBe(0);
      // As the artifacts are downloaded.
      await mkdir(join(folder, 'shards'), { recursive: true });
      expect(await shell(`mv shard-${index} shards/`, folder)).toBe(0);
    }
    const [line = '', ...others] = commands(last, {});
    expect(others).toEqual([]);
    expect(await shell(line, folder), line).toBe(verdict);
    expect((await readReport(join(folder, 'conformance-report'))).run.shards).toBe(matrix.length);
  });

  test('shards.github.yml hands on each folder by the name under which it is merged', async () => {
    const { jobs } = parse(await read('shards.github.yml')) as Workflow;
    const [up] = jobs['shard']?.steps?.filter(({ uses }) => uses?.includes('upload-artifact')) ?? [];
    const [down] = jobs['verdict']?.steps?.filter(({ uses }) => uses?.includes('download-artifact')) ?? [];
    const name = `shard-\${{ matrix.shard }}`;
    expect(up?.with).toMatchObject({ name, path: name });
    expect(down?.with).toEqual({ path: 'shards', pattern: 'shard-*' });
  });

  test('shards.kubernetes.yaml and merge.kubernetes.yaml', async ({ folder, serve }) => {
    const documents = parseAllDocuments(await read('shards.kubernetes.yaml')).map(
      (document) => document.toJS() as Job,
    );
    expect(documents.map(({ kind }) => kind)).toEqual(['PersistentVolumeClaim', 'ConfigMap', 'Job']);
    const job = documents[2];
    if (job === undefined) throw new Error('the job is missing');
    const { completionMode, completions = 0, parallelism, template } = job.spec;
    const [container] = template.spec.containers;
    const env = Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, value]));
    expect({ completionMode, parallelism }).toEqual({ completionMode: 'Indexed', parallelism: completions });
    expect(env['SHARDS']).toBe(`${completions}`);
    expect(container.command).toEqual(['sh', '-c']);
    const described = parse(documents[1]?.data?.['target.yaml'] ?? '') as object;
    expect(Object.keys(described)).toEqual(['baseUrl', 'keys']);
    const { file } = await serve();
    await littleTarget(file, join(folder, 'target.yaml'));
    for (let index = 0; index < completions; index += 1) {
      const given = { ...env, TARGET: join(folder, 'target.yaml'), JOB_COMPLETION_INDEX: `${index}` };
      expect(await shell(container.args[0], folder, given)).toBe(0);
    }
    const merging = parse(await read('merge.kubernetes.yaml')) as Job;
    const [merge] = merging.spec.template.spec.containers;
    expect(merge.image).toBe(container.image);
    expect(await shell(merge.args[0], folder)).toBe(0);
    expect((await readReport(join(folder, 'merged'))).run.shards).toBe(completions);
  });

  test('fleet.github.yml', async ({ folder, serve }) => {
    const { jobs } = parse(await read('fleet.github.yml')) as Workflow;
    const { list, test: testing } = jobs;
    if (list === undefined || testing === undefined) throw new Error('a job is missing');
    const { file } = await serve();
    await mkdir(join(folder, 'targets'));
    for (const name of ['north', 'south']) await littleTarget(file, join(folder, 'targets', `${name}.yaml`));
    await writeFile(join(folder, 'targets', 'README.md'), '');
    const output = join(folder, 'output');
    expect(await shell(commands(list, {})[0] ?? '', folder, { GITHUB_OUTPUT: output })).toBe(0);
    const [, names = '[]'] = (await readFile(output, 'utf8')).trim().split('=');
    expect(JSON.parse(names)).toEqual(['north', 'south']);
    for (const name of JSON.parse(names) as readonly string[]) {
      expect(await shell(commands(testing, { 'matrix.target': name })[0] ?? '', folder)).toBe(0);
      expect((await readReport(join(folder, `report-${name}`))).summary.fail).toBe(0);
    }
  });

  test('are all there', async () => {
    const guide = await readFile(join(packageRoot, 'docs', 'continuous-integration.md'), 'utf8');
    const named = [...guide.matchAll(/\]\(examples\/(.+?)\)/g)].map(([, name]) => name);
    expect([...new Set(named)].toSorted()).toEqual(
      // docs/running-a-programme.md has those of registers.
      (await readdir(examples)).filter((name) => !name.startsWith('register-')).toSorted(),
    );
  });
});
