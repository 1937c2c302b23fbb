import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../spec/package-root.ts';
import { runtime } from './node-runtime.ts';
import type { Sandbox } from './sandbox.ts';
import type { Situation } from './situation.ts';

const asJavaScript =
  /\/\*\* @type \{import\('commerce-conformance\/checks'\)\.CustomCheck\} \*\/\nconst check = /;

/** The checks of the guide by their files. */
async function checksOfGuide(): Promise<Readonly<Record<string, string>>> {
  const page = await readFile(join(packageRoot, 'docs', 'custom-checks.md'), 'utf8');
  const [guide = ''] = page.split('\n## Programmatic use');
  return Object.fromEntries(
    [...guide.matchAll(/```js\n\/\/ (\S+)\n([\s\S]*?)```/g)].map(([, file = '', code = '']) => [file, code]),
  );
}

function inTypeScript(checks: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(checks).map(([file, code]) => [
      file.replace(/\.mjs$/, '.ts'),
      `import type { CustomCheck } from 'commerce-conformance/checks';\n${code.replace(asJavaScript, 'const check: CustomCheck = ')}`,
    ]),
  );
}

const manifest = '{ "private": true, "type": "module" }';

async function evaluates(sandbox: Sandbox, project: string, node: string): Promise<void> {
  await sandbox.evaluates(node, [join('node_modules', '.bin', 'commerce-conformance')], project, {}, [
    '--checks',
    'checks',
  ]);
  const report = JSON.parse(await readFile(join(project, 'conformance-report', 'report.json'), 'utf8')) as {
    readonly additional?: { readonly summary: { readonly pass: number; readonly warn: number } };
  };
  const { pass = 0, warn = 0 } = report.additional?.summary ?? {};
  if (pass !== 1 || warn !== 14) throw new Error(`${pass} passed and ${warn} warned, not 1 and 14`);
}

/** Checks of the user's own. */
export const customChecksSituations: readonly Situation[] = [
  {
    name: 'checks of one’s own in JavaScript, whose types are right',
    holds: async (sandbox) => {
      const project = await sandbox.installed('custom-checks', ['typescript@5.9', '@types/node@20'], {
        'package.json': manifest,
        ...(await checksOfGuide()),
      });
      const files = Object.keys(await checksOfGuide());
      const flags = [
        '--noEmit',
        '--allowJs',
        '--checkJs',
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2023',
      ];
      await sandbox.run('npx', ['--no', '--', 'tsc', ...flags, ...files], project);
      await evaluates(sandbox, project, process.execPath);
      return undefined;
    },
  },
  {
    name: 'checks of one’s own in TypeScript, on Node 24',
    holds: async (sandbox) => {
      const project = await sandbox.installed('custom-checks-in-typescript', [], {
        'package.json': manifest,
        ...inTypeScript(await checksOfGuide()),
      });
      await evaluates(sandbox, project, await runtime(sandbox, 24));
      return undefined;
    },
  },
];
