import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ShapeName, shapePresets } from '../../fixtures/reference-service/shape.ts';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import { services, stacksFolder } from './stacks-for-tests.ts';
import { startService as startStack } from './start-stack-for-tests.ts';
import { command, furtherArgs, seeds } from './test-stack-for-tests.ts';

/** A running service, and the flags that name it. */
interface Subject {
  readonly flags: readonly string[];
  readonly stop: () => Promise<void>;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conformance-certify-'));
  await command(['keygen', '--out', join(folder, 'keys')]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const openers: Record<string, () => Promise<Subject>> = {
  ...Object.fromEntries(
    Object.keys(shapePresets).map((name) => [name, () => openShape(name as ShapeName)] as const),
  ),
  ...Object.fromEntries(
    services.map((service) => [
      service.name,
      async () => {
        const { baseUrl, stop } = await startStack(service);
        return { flags: ['--target', join(stacksFolder, 'target.yaml'), '--base-url', baseUrl], stop };
      },
    ]),
  ),
};

describe.for(Object.entries(openers))('%s', ([, open]) => {
  test.for(seeds)('leads to a certificate that verifies, seed %i', async (seed) => {
    const { flags, stop } = await open();
    const report = join(folder, 'report');
    const key = (name: string): string => join(folder, 'keys', `certificate-${name}.pem`);
    const certified = ['--certify', '--development', '--sign-key', key('private')];
    try {
      await command([
        ...['run', '--no-color', ...flags, ...certified, '--seed', `${seed}`, '--report-dir', report],
        ...furtherArgs,
      ]);
      const verified = await command(['verify', report, '--development', '--public-key', key('public')]);
      expect(verified).toContain('The certificate is valid.');
    } finally {
      await stop();
      await rm(report, { recursive: true, force: true });
    }
  });
});

async function openShape(shape: ShapeName): Promise<Subject> {
  const service = await startService({ shape });
  const target = join(folder, `${shape}.json`);
  await writeFile(target, JSON.stringify(service.target));
  return { flags: ['--target', target], stop: () => service.close() };
}
