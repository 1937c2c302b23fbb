import { chmodSync } from 'node:fs';
import type { UserConfigFnObject } from 'vite';

/** What the package holds: the command, what others import, and the thread of a run. */
const program = {
  'cli/main': 'cli/main.ts',
  'api/index': 'api/index.ts',
  'api/vitest': 'api/vitest.ts',
  'api/checks': 'api/checks.ts',
  'run-worker': 'harness/engine/run/run-worker.ts',
};

/** What those who work on the project start. */
const tools = Object.fromEntries(
  [
    ...['bench', 'docs', 'mutants', 'proof'].map((name) => `${name}/main`),
    'bench/memory-process',
    'bench/target-process',
    'build/main',
    'proof/combinations',
    'proof/trace',
    'proof/worker',
  ].map((name) => [name, `tools/${name}.ts`]),
);

/**
 * Code that is loaded together is one file, with all that it imports; the first group that reaches a module has it. So the
 * start of the command stays small.
 */
const groups = [
  { name: 'start', test: /\/cli\/run-program\.ts$/ },
  { name: 'engine', test: /\/harness\/engine\/run\/conduct-run\.ts$/ },
  { name: 'service', test: /\/fixtures\/reference-service\/start-service\.ts$/ },
  { name: 'run', test: /\/cli\/commands\/run\.command\.ts$/ },
  { name: 'files', test: /\/harness\/(?:openapi\/load-document|target\/target-file)\.ts$/ },
  { name: 'reports', test: /\/reporters\/renderers\.ts$/ },
  { name: 'faults', test: /\/cli\/commands\/serve\.command\.ts$/ },
  {
    name: 'commands',
    test: /\/(?:cli\/(?!main\.)|harness\/(?!engine\/run\/run-worker\.)|reporters\/|spec\/)/,
  },
];

/** `vite build` compiles the program, `vite build --mode tools` the tools. */
const config: UserConfigFnObject = ({ mode }) => {
  const isTools = mode === 'tools';
  return {
    publicDir: false,
    envDir: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      target: 'node20.19',
      outDir: isTools ? 'dist/tools' : 'dist',
      sourcemap: true,
      rolldownOptions: {
        input: isTools ? tools : program,
        // Tree shaking and dead code removal would drop a call made only to see whether it throws: keep both off.
        treeshake: false,
        output: {
          minify: false,
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name].js',
          ...(!isTools && {
            codeSplitting: {
              groups: groups.map((group, place) => ({ ...group, priority: groups.length - place })),
            },
          }),
        },
      },
    },
    plugins: [
      {
        name: 'executable',
        writeBundle: () => {
          if (!isTools) chmodSync('dist/cli/main.js', 0o755);
        },
      },
    ],
  };
};

export default config;
