import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { packageRoot } from '../../spec/package-root.ts';
import { SuiteOrder } from './suite-order.ts';

it('runs the first cases and the surface first; the last cases, custom checks and the passive checks last', async () => {
  const suites = readdirSync(join(packageRoot, 'suites'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.suite.ts'))
    .map((file) => ({ moduleId: join(packageRoot, 'suites', file) }) as TestSpecification);
  const ordered = await new SuiteOrder({ cache: undefined } as unknown as Vitest).sort(suites);
  const names = ordered.map(({ moduleId }) => basename(moduleId, '.suite.ts'));
  expect([...names.slice(0, 2), ...names.slice(-3)]).toEqual([
    ...['first', 'surface'],
    ...['last', 'custom', 'universal'],
  ]);
});
