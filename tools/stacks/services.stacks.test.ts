import { describe, expect, test } from 'vitest';
import { objectionsTo } from './objections-for-tests.ts';
import { fronts, services } from './stacks-for-tests.ts';
import { type Behind, reportFolderOf, seeds, showCauses, testStack } from './test-stack-for-tests.ts';

const [firstSeed = 1] = seeds;
/** Whether `init` writes the target file; what only a person knows stays untested then. */
const fromInit = process.env['FROM_INIT'] === '1';

describe.for(services.map((service) => [service.name, service] as const))('%s', ([name, service]) => {
  test.for(seeds)('directly, seed %i', async (seed) => {
    const reportFolder = reportFolderOf(`${name}-${seed}`);
    const report = await testStack({ service, seed, fromInit, reportFolder });
    showCauses(report);
    expect(objectionsTo(report, undefined, fromInit)).toEqual([]);
  });

  const behinds = fronts.flatMap((front) =>
    (['default', 'recommended'] as const).map((setting) => [front.name, setting, front] as const),
  );
  test.for(behinds)('behind %s, %s settings', async ([, setting, front]) => {
    const behind: Behind = { front, setting };
    const reportFolder = reportFolderOf(`${name}-${front.name}-${setting}`);
    const report = await testStack({ service, behind, seed: firstSeed, fromInit, reportFolder });
    showCauses(report);
    expect(objectionsTo(report, behind, fromInit)).toEqual([]);
  });
});
