import { defineConfig } from 'vitest/config';
import { SuiteOrder } from './harness/engine/suite-order.ts';

const config: ReturnType<typeof defineConfig> = defineConfig({
  test: {
    // Only the whole configuration can have one.
    sequence: { sequencer: SuiteOrder },
    projects: [
      {
        test: {
          name: 'self',
          include: ['{api,cli,spec,harness,suites,fixtures,reporters,tools}/**/*.test.ts'],
          exclude: ['**/*.{browser,hostile}.test.ts', 'tools/proof/proof.test.ts'],
          testTimeout: 30_000,
          // Many files wait for programs that they start; the usual number leaves one processor to nobody.
          maxWorkers: '100%',
        },
      },
      {
        test: {
          // Alone, after the others: services that throttle do so only where they are asked fast enough.
          name: 'proof',
          include: ['tools/proof/proof.test.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['{reporters,tools}/**/*.browser.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'hostile',
          include: ['cli/*.hostile.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['suites/**/*.suite.ts'],
          globalSetup: ['cli/vitest-setup.ts'],
          pool: 'threads',
          isolate: false,
          fileParallelism: false,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});

export default config;
