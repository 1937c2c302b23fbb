import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, test } from 'vitest';
import { packageRoot } from '../../spec/package-root.ts';
import { fetched, installed, run, runCommand } from './sandbox-for-tests.ts';

/** Ways to resolve modules that know `exports`, each with the modules it is for. */
const resolutions = { nodenext: 'nodenext', bundler: 'esnext' } as const;
const compilers = ['5.9', '7'];

const configured = (moduleResolution: string, module: string): string =>
  JSON.stringify({
    compilerOptions: {
      module,
      moduleResolution,
      target: 'ES2023',
      lib: ['ES2023'],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      // The types of the package are to be sound themselves.
      skipLibCheck: false,
      outDir: 'compiled',
    },
    include: ['program.ts'],
  });

describe('a TypeScript program', () => {
  let folder: string;

  beforeAll(async () => {
    const program = join(packageRoot, 'tools', 'package-tests', 'consumer', 'program.ts');
    folder = await installed('consumer', ['@types/node@20'], {
      'package.json': '{ "private": true, "type": "module" }',
      'program.ts': await readFile(program, 'utf8'),
      ...Object.fromEntries(
        Object.entries(resolutions).map(([resolution, module]) => [
          `tsconfig.${resolution}.json`,
          configured(resolution, module),
        ]),
      ),
    });
    await runCommand(folder, ['run', '--certify', '--development', '--report-dir', 'certified']);
  });

  describe.for(Object.keys(resolutions))('with moduleResolution %s', (resolution) => {
    test.for(compilers)('is compiled by TypeScript %s, and runs', async (version) => {
      const tsc = await fetched(`typescript@${version}`, '.bin/tsc');
      await run(tsc, ['--project', `tsconfig.${resolution}.json`], folder);
      await run(process.execPath, [join('compiled', 'program.js')], folder);
    });
  });
});
