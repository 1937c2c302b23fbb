import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { renderOpenApiDocument } from '../fixtures/reference-service/openapi-document.ts';
import { variantsByFile } from '../fixtures/variants/all-variants.ts';
import { startVariant } from '../fixtures/variants/start-variant.ts';
import { test } from './in-process-for-tests.ts';

/** One of every kind. */
const variants = [...variantsByFile.values()].flatMap((all) => all.filter(({ slow }) => !slow).slice(0, 1));

describe.each(variants)('init at $name', (variant) => {
  test('writes files that doctor and run accept', async ({ folder, cli }) => {
    const service = await startVariant(variant);
    try {
      const { baseUrl, keys } = service.target;
      const env = { COMMERCE_KEY: keys.scoped, COMMERCE_KEY_UNSCOPED: keys.unscoped };
      const document = renderOpenApiDocument(service.shape, baseUrl);
      await writeFile(join(folder, 'own.json'), JSON.stringify(document));
      for (const spec of ['', ' --spec own.json']) {
        const init = await cli(`init --base-url ${baseUrl} --force${spec}`, env);
        // A service that closes its doors to what init sends leaves a file all the same.
        expect([0, 3], init.stderr).toContain(init.exitCode);
        const doctor = await cli('doctor --target target.yaml', env);
        expect([0, 3], doctor.stderr).toContain(doctor.exitCode);
      }
      const only = '--check surface/valid-call-is-answered --format json --quiet';
      const run = await cli(`run --target target.yaml ${only}`, env);
      expect([0, 3], run.stdout + run.stderr).toContain(run.exitCode);
    } finally {
      await service.close();
    }
  });
});
