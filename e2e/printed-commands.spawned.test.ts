import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { stringify } from 'yaml';
import { allFaults } from '../fixtures/faults/all-faults.ts';
import { startFault } from '../fixtures/faults/start-fault.ts';
import type { TargetDescription } from '../fixtures/reference-service/describe-target.ts';
import { test, typeLine } from './cli-for-tests.ts';

/** Faults whose findings are of five kinds: an input, a key, an absent body, a sequence, and a comparison of responses. */
const faults = [
  'nul-in-a-product-slug-crashes',
  'key-is-compared-as-prefix',
  'missing-key-has-no-body',
  'second-cancel-crashes',
  'cancel-of-unknown-session-succeeds',
];

describe.concurrent('every printed command works in a fresh shell', () => {
  test.for(faults)('%s', async (name, { folder }) => {
    const fault = allFaults.find((one) => one.name === name) ?? expect.fail(`there is no fault ${name}`);
    const service = await startFault(fault);
    try {
      const desk = await openDesk(folder, service.target);
      const { operation } = fault.breaks;
      const run = `npx commerce-conformance run --target target.yaml --report-dir conformance-report ${operation === '*' ? '' : `--operation ${operation}`}`;
      const outputs = [await desk.type(run, [1])];
      outputs.push(pasted(await readFile(join(folder, 'conformance-report', 'report.html'), 'utf8')));
      // These do not depend on the finding.
      if (name === faults[0]) outputs.push(...(await otherOutputs(desk, service.baseUrl)));
      const typed = new Set<string>();
      // The output of a printed command holds further ones, such as those of explain.
      for (let round = 1; round <= 2; round += 1) {
        const commands = outputs.splice(0).flatMap(commandsOf);
        for (const command of commands.filter((one) => !typed.has(one))) {
          typed.add(command);
          const output = await desk.type(command, endingsOf(command));
          if (!command.includes(' run ')) outputs.push(output);
        }
      }
      for (const wanted of [/ explain /, / replay /, /^(?:curl|printf) |--script \| sh$/])
        expect([...typed].filter((command) => wanted.test(command))).not.toEqual([]);
    } finally {
      await service.close();
    }
  });
});

async function otherOutputs(desk: Desk, baseUrl: string): Promise<readonly string[]> {
  const outputs = [
    await desk.type(
      'cp -r conformance-report released && npx commerce-conformance diff released conformance-report',
      [0],
    ),
    await desk.type('npx commerce-conformance doctor --target target.yaml', [0]),
    await desk.type(`npx commerce-conformance init --base-url ${baseUrl} --file asked.yaml`, [0]),
  ];
  expect(outputs[2]).toContain('npx commerce-conformance run --target asked.yaml');
  return outputs;
}

/** Exit codes that a printed command may have. */
function endingsOf(command: string): readonly number[] {
  if (command.endsWith('| sh')) return [0];
  // A comparison of responses needs the whole run.
  if (command.includes(' replay ')) return [1, 3];
  return command.includes(' run ') ? [0, 1, 3] : [0];
}

/** The commands in an output; those in angle brackets are for the reader to fill in. */
function commandsOf(output: string): readonly string[] {
  const lines = output.matchAll(/(?:^|[ (])((?:npx commerce-conformance|curl -i|printf %s) [^\n]*)$/gm);
  return [...lines].map(([, command = '']) => command.replace(/\)$/, '')).filter((one) => !/<\w+>/.test(one));
}

/** The lines of an HTML report that have a button to copy them. */
function pasted(html: string): string {
  const lines = [...html.matchAll(/class="shell-line"><pre[^>]*>([\s\S]*?)<\/pre>/g)];
  return lines
    .map(([, line = '']) => line.replaceAll(/<[^>]*>/g, ''))
    .map((line) =>
      line.replaceAll(/&#x([0-9A-F]+);/gi, (_all, code: string) =>
        String.fromCodePoint(Number.parseInt(code, 16)),
      ),
    )
    .join('\n');
}

interface Desk {
  readonly type: (command: string, endings: readonly number[]) => Promise<string>;
}

/** A folder with a target file. */
async function openDesk(folder: string, target: TargetDescription): Promise<Desk> {
  await writeFile(join(folder, 'target.yaml'), stringify(target));
  const env = {
    COMMERCE_KEY: target.keys?.scoped ?? '',
    COMMERCE_KEY_UNSCOPED: target.keys?.unscoped ?? '',
  };
  const type: Desk['type'] = async (command, endings) => {
    // A printed run would replace the report that other commands read.
    const line = / run (?!.*--report-dir)/.test(command)
      ? `mkdir -p again && cp *.yaml again && cd again && ${command}`
      : command;
    const { exitCode, stdout, stderr } = await typeLine(line, folder, env);
    if (endings.includes(exitCode ?? -1) && !/^(?:error|sh):/m.test(stderr)) return stdout;
    throw new Error(`${command}\nended with ${exitCode}\n${stdout}\n${stderr}`);
  };
  return { type };
}
