import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../spec/package-root.ts';
import {
  type Action,
  type CalledWorkflow,
  type Input,
  type Output,
  readYaml,
  type Step,
  type Workflow,
} from './workflow-file-for-tests.ts';

const page = await readFile(join(packageRoot, 'docs', 'continuous-integration.md'), 'utf8');
const [guide = ''] = page.split('\n## GitLab CI');
const action = await readYaml<Action>('action.yml');
const { workflow_call: call } = (await readYaml<CalledWorkflow>('.github/workflows/conformance.yml')).on;

function inputTable(inputs: Readonly<Record<string, Input>>): string {
  const rows = Object.entries(inputs).map(([name, input]) => {
    const usual = input.default === '' || input.default === undefined ? '' : `\`${input.default}\``;
    return `| \`${name}\` | ${usual} | ${input.description} |`;
  });
  return ['| input | default | |', '|---|---|---|', ...rows].join('\n');
}

function outputTable(outputs: Readonly<Record<string, Output>>): string {
  const rows = Object.entries(outputs).map(([name, { description }]) => `| \`${name}\` | ${description} |`);
  return ['| output | |', '|---|---|', ...rows].join('\n');
}

describe('docs/continuous-integration.md', () => {
  test.for([
    { of: 'inputs of action.yml', table: inputTable(action.inputs) },
    { of: 'outputs of action.yml', table: outputTable(action.outputs) },
    { of: 'inputs of conformance.yml', table: inputTable(call.inputs) },
    { of: 'outputs of conformance.yml', table: outputTable(call.outputs) },
  ])('lists the $of', ({ of, table }) => {
    const start = `<!-- ${of} -->\n`;
    const from = guide.indexOf(start) + start.length;
    expect(guide.slice(from, guide.indexOf('<!-- end -->', from)).trim()).toBe(table);
  });

  test('has snippets that give the action and the workflow what they take', () => {
    const snippets = [...guide.matchAll(/```yaml\n(.+?)```/gs)].map(
      ([, text = '']) => parse(text) as unknown,
    );
    const whole = snippets.filter((one): one is Workflow => Object.hasOwn(one as object, 'jobs'));
    expect(whole).toHaveLength(2);
    const jobs = whole.flatMap((one) => Object.values(one.jobs));
    const parts = snippets.filter(Array.isArray).flat() as Step[];
    const steps = [...jobs.flatMap((job) => job.steps ?? []), ...parts];
    const ours = steps.filter(({ uses }) => uses?.startsWith('OWNER/') === true);
    expect(ours.map(({ uses }) => uses)).toEqual(Array(2).fill('OWNER/commerce-conformance@v0'));
    const given = snippets.filter((one): one is Pick<Step, 'with'> => Object.hasOwn(one as object, 'with'));
    for (const { with: inputs = {} } of [...ours, ...given]) {
      for (const name of Object.keys(inputs)) expect(Object.keys(action.inputs)).toContain(name);
    }
    const [called, ...others] = jobs.filter(({ uses }) => uses !== undefined);
    expect(others).toEqual([]);
    expect(called?.uses).toBe('OWNER/commerce-conformance/.github/workflows/conformance.yml@v0');
    for (const name of Object.keys(called?.with ?? {})) expect(Object.keys(call.inputs)).toContain(name);
    expect(Object.keys(called?.secrets ?? {})).toEqual(Object.keys(call.secrets));
  });

  test('links to what exists', async () => {
    for (const [, target = ''] of guide.matchAll(/\]\(([^)#:]+)\)/g))
      await access(join(packageRoot, 'docs', target));
  });
});

test('what the workflow takes on for the action has the same name and the same default', () => {
  for (const [name, input] of Object.entries(action.inputs)) {
    const own = call.inputs[name];
    if (own === undefined || name === 'node-version') continue;
    expect(own.default, name).toBe(input.default);
  }
  for (const [name, { description }] of Object.entries(call.outputs)) {
    expect(action.outputs[name]?.description).toBe(description);
  }
});
