import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../spec/package-root.ts';
import type { Sandbox } from './sandbox.ts';
import type { Situation } from './situation.ts';

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

let made: Promise<string> | undefined;

/** A project with a program of its own, and a report folder that was certified. */
function consumer(sandbox: Sandbox): Promise<string> {
  made ??= (async () => {
    const folder = await sandbox.installed('consumer', ['@types/node@20'], {
      'package.json': '{ "private": true, "type": "module" }',
      'program.ts': await readFile(
        join(packageRoot, 'tools', 'package-tests', 'consumer', 'program.ts'),
        'utf8',
      ),
      ...Object.fromEntries(
        Object.entries(resolutions).map(([resolution, module]) => [
          `tsconfig.${resolution}.json`,
          configured(resolution, module),
        ]),
      ),
    });
    await sandbox.run(
      'npx',
      [
        '--no',
        '--',
        'commerce-conformance',
        'run',
        '--certify',
        '--development',
        '--report-dir',
        'certified',
      ],
      folder,
    );
    return folder;
  })();
  return made;
}

/** Programs that use the package. */
export const consumerSituations: readonly Situation[] = Object.keys(resolutions).map((resolution) => ({
  name: `TypeScript program, moduleResolution ${resolution}, compiled by TypeScript ${compilers.join(' and ')}, then run`,
  holds: async (sandbox) => {
    const folder = await consumer(sandbox);
    for (const version of compilers) {
      const tools = await sandbox.emptyFolder(`typescript-${version}`);
      await sandbox.run(
        'npm',
        ['install', '--no-audit', '--no-fund', '--prefix', tools, `typescript@${version}`],
        tools,
      );
      const tsc = join(tools, 'node_modules', '.bin', 'tsc');
      await sandbox.run(tsc, ['--project', `tsconfig.${resolution}.json`], folder);
      await sandbox.run(process.execPath, [join('compiled', 'program.js')], folder);
    }
    return undefined;
  },
}));
