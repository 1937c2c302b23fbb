import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Begins with the files of tools, which hold whole runs: without the durations of earlier tests, vitest would begin with the
 * largest files, and one worker would end alone with these.
 */
class RunsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isOfTools = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/tools/');
    return [...sorted.filter(isOfTools), ...sorted.filter((file) => !isOfTools(file))];
  }
}

const shared = {
  // Far beyond what a test takes, so that other load on the machine fails none; it only ends a test that hangs.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  // The style of the report's page, which vitest would replace with an empty text.
  css: { include: [/\/style\.css/] },
};

const folders = '{api,cli,e2e,spec,harness,suites,fixtures,reporters,tools}';

// Allure results of the other projects would say nothing of a service.
const isConformance = process.argv.some((argument) => /^(?:--project=)?conformance$/.test(argument));

const allureReporter: [string, { resultsDir: string }] = [
  'allure-vitest/reporter',
  { resultsDir: process.env['ALLURE_RESULTS_DIR'] ?? 'allure-results' },
];

const dayMs = 86_400_000;

/** The folder of compiled modules: one that lists files by a pattern, as the catalogue does, is out of date once there is another file. */
function cachePath(): string {
  const caches = 'node_modules/.cache/commerce-conformance';
  const files = ['suites', 'fixtures'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }),
  );
  const name = createHash('sha256').update(files.sort().join('\n')).digest('hex').slice(0, 16);
  const found = existsSync(caches) ? readdirSync(caches) : [];
  // Tests of another checkout may still use a new one.
  const isOld = (one: string): boolean => statSync(join(caches, one)).mtimeMs < Date.now() - dayMs;
  for (const one of found.filter((each) => each !== name && isOld(each)))
    rmSync(join(caches, one), { recursive: true, force: true });
  return join(caches, name);
}

const config: ReturnType<typeof defineConfig> = defineConfig({
  test: {
    globalSetup: 'tools/build/write-schemas.ts',
    // Most of the time goes into compiling modules, few of which change between two runs.
    experimental: { fsModuleCache: true, fsModuleCachePath: cachePath() },
    sequence: { sequencer: RunsFirst },
    reporters: ['default', ...(isConformance ? [allureReporter] : [])],
    projects: [
      {
        test: {
          // `npm test`: units, examples, a quick run and a sample of the proof, all from source in this process.
          name: 'self',
          include: [`${folders}/**/*.test.ts`],
          exclude: ['**/*.{browser,hostile,package,proof,slow,spawned,stacks}.test.ts'],
          ...shared,
          // Files share the modules that a worker has loaded; they keep no state in them.
          isolate: false,
          execArgv: ['--max-semi-space-size=32'],
          // More than there are processors, because tests of runs wait more than they work.
          maxWorkers: Math.ceil(1.5 * availableParallelism()),
        },
      },
      {
        test: {
          // Tests that start the compiled program, or run many cases; the usual number of workers leaves one processor idle.
          name: 'spawned',
          include: [`${folders}/**/*.{slow,spawned}.test.ts`],
          ...shared,
          maxWorkers: '100%',
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          // Alone, after the others: it uses every processor.
          name: 'proof',
          include: ['tools/proof/*.proof.test.ts'],
          ...shared,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['{e2e,reporters,tools}/**/*.browser.test.ts'],
          globalSetup: 'reporters/html/browser-for-tests.ts',
          ...shared,
          // Pages at once: each has a process of its own.
          maxConcurrency: 2,
          isolate: false,
          execArgv: ['--max-semi-space-size=32'],
          maxWorkers: '100%',
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'hostile',
          include: ['e2e/*.hostile.test.ts'],
          ...shared,
          // Most of them wait more than they work.
          maxConcurrency: 12,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          name: 'package',
          include: ['tools/package-tests/*.package.test.ts'],
          globalSetup: 'tools/package-tests/pack-for-tests.ts',
          ...shared,
          fileParallelism: false,
          sequence: { groupOrder: 5 },
        },
      },
      {
        test: {
          // Services on other frameworks, behind proxies: what this machine lacks fails and says what provides it.
          name: 'stacks',
          include: ['tools/stacks/*.stacks.test.ts'],
          ...shared,
          fileParallelism: false,
          sequence: { groupOrder: 6 },
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['api/*.suite.ts'],
          sequence: { groupOrder: 7 },
        },
      },
    ],
  },
});

export default config;
