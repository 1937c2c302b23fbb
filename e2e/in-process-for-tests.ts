import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type TestAPI, vi } from 'vitest';
import { stringify } from 'yaml';
import { runProgram } from '../cli/run-program.ts';
import { allFaults } from '../fixtures/faults/all-faults.ts';
import { startFault } from '../fixtures/faults/start-fault.ts';
import { renderOpenApiDocument } from '../fixtures/reference-service/openapi-document.ts';
import type { ShapeName } from '../fixtures/reference-service/shape.ts';
import { type RunningService, startService } from '../fixtures/reference-service/start-service.ts';
import { runInProcess } from '../harness/engine/run/run-in-process-for-tests.ts';
import { type Circumstances, commandTest, type Ended, type Given } from './cli-for-tests.ts';

/** What a command left behind. */
type Called = Ended & { readonly exitCode: number };

let last: Promise<unknown> = Promise.resolve();

/** Runs a command in this process, one at a time: folder, environment and streams belong to the whole process. */
export function callCli(args: readonly string[], circumstances: Circumstances = {}): Promise<Called> {
  const ended = last.then(() => call(args, circumstances));
  last = ended.catch(() => undefined);
  return ended;
}

const foreign = /^(?:COMMERCE_|CONFORMANCE_|GITHUB_)|^(?:FORCE_COLOR|NO_COLOR)$|_proxy$/i;

async function call(args: readonly string[], { cwd = tmpdir(), env = {} }: Circumstances): Promise<Called> {
  const { stdout, stderr } = process;
  const [folder, environment] = [process.cwd(), process.env];
  const write = { out: stdout.write, err: stderr.write };
  const said = { out: '', err: '' };
  process.chdir(cwd);
  process.env = {
    ...Object.fromEntries(Object.entries(environment).filter(([name]) => !foreign.test(name))),
    ...env,
  };
  stdout.write = (chunk: unknown) => {
    said.out += String(chunk);
    return true;
  };
  stderr.write = (chunk: unknown) => {
    said.err += String(chunk);
    return true;
  };
  const signals = (['SIGINT', 'SIGTERM'] as const).map(
    (signal) => [signal, process.listeners(signal)] as const,
  );
  // Tests run from source, which a worker thread cannot load.
  vi.doMock(import('../harness/engine/run/run-in-worker.ts'), () => ({ runInWorker: runInProcess }));
  try {
    const exitCode = await runProgram(['node', 'commerce-conformance', ...args]);
    return { exitCode, stdout: said.out, stderr: said.err };
  } finally {
    stdout.write = write.out;
    stderr.write = write.err;
    process.env = environment;
    process.chdir(folder);
    for (const [signal, before] of signals) {
      for (const listener of process.listeners(signal)) {
        if (!before.includes(listener)) process.removeListener(signal, listener);
      }
    }
  }
}

interface Serving {
  /** Starts what `serve` starts with these flags (`--fault`, `--shape`), in this process, and writes its target file and its OpenAPI document. */
  readonly serve: (...args: readonly string[]) => Promise<{
    readonly file: string;
    readonly spec: string;
    readonly target: RunningService['target'];
  }>;
}

/** A test of the command line in this process. */
export const test: TestAPI<Given & Serving> = commandTest(callCli).extend<Serving>({
  serve: async ({ folder }, use) => {
    const services: RunningService[] = [];
    await use(async (...args) => {
      const { values } = parseArgs({
        args: [...args],
        options: { fault: { type: 'string' }, shape: { type: 'string' } },
      });
      const fault = allFaults.find(({ name }) => name === values.fault);
      if (fault?.name !== values.fault) throw new Error(`there is no fault ${values.fault}`);
      const options = values.shape === undefined ? {} : { shape: values.shape as ShapeName };
      const service = await (fault === undefined ? startService(options) : startFault(fault, options));
      services.push(service);
      const at = services.length;
      const [file, spec] = [join(folder, `served-${at}.yaml`), join(folder, `served-${at}.json`)];
      await writeFile(file, stringify(service.target));
      await writeFile(spec, JSON.stringify(renderOpenApiDocument(service.shape, service.baseUrl)));
      return { file, spec, target: service.target };
    });
    await Promise.all(services.map((service) => service.close()));
  },
});
