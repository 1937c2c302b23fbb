import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { requireQuery } from '../fixtures/mutators/require-query.ts';
import { renderOpenApiDocument } from '../fixtures/reference-service/openapi-document.ts';
import type { OperationId } from '../fixtures/reference-service/operation-table.ts';
import { type ShapeName, shapePresets } from '../fixtures/reference-service/shape.ts';
import { type RunningService, startService } from '../fixtures/reference-service/start-service.ts';
import { callCli, test } from './in-process-for-tests.ts';
import { readReport } from './read-report.ts';

type Parameter = Readonly<Record<string, unknown>>;

/** The document of a service, with these query parameters. */
function documentOf(
  service: RunningService,
  queries: Partial<Record<OperationId, readonly Parameter[]>>,
): object {
  const document = structuredClone(renderOpenApiDocument(service.shape, service.baseUrl)) as {
    readonly paths: Record<string, { readonly get?: { readonly operationId: string; parameters?: unknown } }>;
    readonly components: Record<string, unknown>;
  };
  for (const { get } of Object.values(document.paths)) {
    const parameters = queries[get?.operationId as OperationId];
    if (get !== undefined && parameters !== undefined)
      get.parameters = parameters.map((one) => ({ in: 'query', required: true, ...one }));
  }
  document.components['parameters'] = {
    Term: { name: 'term', in: 'query', required: true, schema: { type: 'string', example: 'wool' } },
  };
  return document;
}

/** Runs the three commands one after the other, as their user does; the target file that was written. */
async function initDoctorRun(
  folder: string,
  service: Pick<RunningService, 'target'>,
  flags: readonly string[] = [],
): Promise<{
  readonly file: Readonly<Record<string, unknown>>;
  readonly outcomes: ReadonlyMap<string, string>;
}> {
  const { baseUrl, keys } = service.target;
  const at = {
    cwd: folder,
    env: { COMMERCE_KEY: keys.scoped, COMMERCE_KEY_UNSCOPED: keys.unscoped, X_A: 'a' },
  };
  const init = await callCli(['init', '--base-url', baseUrl, ...flags], at);
  expect(init.exitCode, init.stderr).toBe(0);
  const doctor = await callCli(['doctor', '--target', 'target.yaml'], at);
  expect(doctor.exitCode, doctor.stderr).toBe(0);
  const check = ['--check', 'surface/valid-call-is-answered', '--format', 'json', '--quiet'];
  const run = await callCli(['run', '--target', 'target.yaml', ...check], at);
  expect([0, 3], run.stderr).toContain(run.exitCode);
  const { results } = await readReport(join(folder, 'conformance-report', 'report.json'));
  return {
    file: parse(await readFile(join(folder, 'target.yaml'), 'utf8')) as Record<string, unknown>,
    outcomes: new Map(results.map(({ operation, outcome }) => [operation, outcome])),
  };
}

describe('init, doctor and run in a row', () => {
  const shapes = Object.keys(shapePresets) as ShapeName[];
  test.for(shapes)(
    'accept the file for the shape %s, without and with its document',
    async (shape, { folder, serve }) => {
      const { target, spec } = await serve('--shape', shape);
      await initDoctorRun(folder, { target });
      const { outcomes } = await initDoctorRun(folder, { target }, ['--spec', spec, '--force']);
      expect(new Set(outcomes.values())).toEqual(new Set(['pass']));
    },
  );

  test.for([
    ['read-only', ['--read-only']],
    ['a header', ['--header', 'x-a: a']],
    ['nothing asked', ['--offline']],
  ] as const)('accept the file with %s', async ([_name, flags], { folder, serve }) => {
    const { target } = await serve();
    await initDoctorRun(folder, { target }, flags);
  });

  const text = { type: 'string' };
  test.for<readonly [string, Parameter, Readonly<Record<string, string>>]>([
    ['a word of a product', { name: 'q', schema: text }, { q: 'Linen' }],
    [
      'another name, and an example',
      { name: 'query', schema: text, example: 'scarf: $' + '{a}' },
      { query: 'scarf: $$' + '{a}' },
    ],
    ['a default', { name: 's', schema: { ...text, default: 'yes' } }, { s: 'yes' }],
    ['an enumeration', { name: 'search', schema: { ...text, enum: ['null'] } }, { search: 'null' }],
    ['a reference', { $ref: '#/components/parameters/Term' }, { term: 'wool' }],
    ['a list', { name: 'q[]', schema: { type: 'array', items: text } }, { 'q[]': 'Linen' }],
    [
      'an object',
      { name: 'filter', style: 'deepObject', schema: { example: { name: 'wool' } } },
      { 'filter[name]': 'wool' },
    ],
    ['a number', { name: '1', schema: { type: 'integer' } }, { '1': '1' }],
  ])('write and accept the query of a search by %s', async ([_name, parameter, query], { folder }) => {
    const [name = ''] = Object.keys(query);
    const id = 'searchPublicProducts';
    const service = await startService({ alter: [(parts) => requireQuery(parts, id, name)] });
    try {
      const document = documentOf(service, { [id]: [parameter] });
      await writeFile(join(folder, 'own.json'), JSON.stringify(document));
      const { file, outcomes } = await initDoctorRun(folder, service, ['--spec', 'own.json']);
      expect(file['query']).toEqual({ [id]: query });
      expect(file['parameters']).not.toHaveProperty(id);
      expect(outcomes.get(id)).toBe('pass');
    } finally {
      await service.close();
    }
  });

  test('leave open a query whose made-up value the service refuses', async ({ folder }) => {
    const id = 'listPublicLegalDocuments';
    const service = await startService({ alter: [(parts) => requireQuery(parts, id, 'locale=de')] });
    try {
      const document = documentOf(service, { [id]: [{ name: 'locale', schema: text }] });
      await writeFile(join(folder, 'own.json'), JSON.stringify(document));
      const { file, outcomes } = await initDoctorRun(folder, service, ['--spec', 'own.json']);
      expect(file['query']).toBeUndefined();
      expect(await readFile(join(folder, 'target.yaml'), 'utf8')).toContain(`\n#query:\n#  ${id}: { … }`);
      expect(outcomes.get(id)).toBe('inconclusive');
    } finally {
      await service.close();
    }
  });
});
