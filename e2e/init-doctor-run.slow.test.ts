import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { readReport } from '../cli/read-report.ts';
import { requireQuery } from '../fixtures/mutators/require-query.ts';
import { renderOpenApiDocument } from '../fixtures/reference-service/openapi-document.ts';
import type { OperationId } from '../fixtures/reference-service/operation-table.ts';
import { type ShapeName, shapePresets } from '../fixtures/reference-service/shape.ts';
import { type RunningService, startService } from '../fixtures/reference-service/start-service.ts';
import type { Given } from './cli-for-tests.ts';
import { test } from './in-process-for-tests.ts';

type Parameter = Readonly<Record<string, unknown>>;

/** A query parameter that an operation requires, and the query that is written for it. */
type Required = readonly [OperationId, Parameter, Readonly<Record<string, string>>];

/** The document of a service, with these query parameters. */
function documentOf(service: RunningService, required: readonly Required[]): object {
  const document = structuredClone(renderOpenApiDocument(service.shape, service.baseUrl)) as {
    readonly paths: Record<string, { readonly get?: { readonly operationId: string; parameters?: unknown } }>;
    readonly components: Record<string, unknown>;
  };
  for (const { get } of Object.values(document.paths)) {
    const own = required.filter(([id]) => id === get?.operationId);
    if (get !== undefined && own.length > 0)
      get.parameters = own.map(([, parameter]) => ({ in: 'query', required: true, ...parameter }));
  }
  document.components['parameters'] = {
    Term: { name: 'term', in: 'query', required: true, schema: { type: 'string', example: 'wool' } },
  };
  return document;
}

/** Runs the three commands one after the other, as their user does; the target file that was written. */
async function initDoctorRun(
  { folder, cli }: Pick<Given, 'folder' | 'cli'>,
  service: Pick<RunningService, 'target'>,
  flags = '',
): Promise<{
  readonly file: Readonly<Record<string, unknown>>;
  readonly outcomes: ReadonlyMap<string, string>;
}> {
  const { baseUrl, keys } = service.target;
  const env = { COMMERCE_KEY: keys.scoped, COMMERCE_KEY_UNSCOPED: keys.unscoped, X_A: 'a' };
  const init = await cli(`init --base-url ${baseUrl}${flags}`, env);
  expect(init.exitCode, init.stderr).toBe(0);
  const doctor = await cli('doctor --target target.yaml', env);
  expect(doctor.exitCode, doctor.stderr).toBe(0);
  const check = '--check surface/valid-call-is-answered --format json --quiet';
  const run = await cli(`run --target target.yaml ${check}`, env);
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
    async (shape, { folder, serve, cli }) => {
      const { target, spec } = await serve('--shape', shape);
      await initDoctorRun({ folder, cli }, { target });
      const { outcomes } = await initDoctorRun({ folder, cli }, { target }, ` --spec ${spec} --force`);
      expect(new Set(outcomes.values())).toEqual(new Set(['pass']));
    },
  );

  test.for([
    ['read-only', ' --read-only'],
    ['a header', ' --header x-a:a'],
    ['nothing asked', ' --offline'],
  ] as const)('accept the file with %s', async ([_name, flags], { folder, serve, cli }) => {
    const { target } = await serve();
    await initDoctorRun({ folder, cli }, { target }, flags);
  });

  test('say which capture finds nothing, and where the response holds one', async ({
    folder,
    serve,
    cli,
  }) => {
    const { target } = await serve();
    const sessionId = { from: 'createHostedCheckoutSession', pointer: '/session_id' };
    const wrong = { ...target, captures: { ...target.captures, sessionId } };
    await writeFile(join(folder, 'wrong.json'), JSON.stringify(wrong));
    const { stdout } = await cli('doctor --target wrong.json');
    expect(stdout).toMatch(/Capture +sessionId: .* holds nothing at its pointer; it holds \/sessionId/);
    expect(stdout).toContain('once you correct the captures above');
  });

  const text = { type: 'string' };

  /** Starts a service that requires these queries, and runs the three commands with its document. */
  async function runRequiring(
    given: Pick<Given, 'folder' | 'cli'>,
    required: readonly Required[],
  ): ReturnType<typeof initDoctorRun> {
    const service = await startService({
      alter: required.map(([id, , query]) => (parts) => {
        for (const name of Object.keys(query)) requireQuery(parts, id, name);
      }),
    });
    try {
      const document = documentOf(service, required);
      await writeFile(join(given.folder, 'own.json'), JSON.stringify(document));
      return await initDoctorRun(given, service, ' --spec own.json');
    } finally {
      await service.close();
    }
  }

  // One service requires all of them, as most of the time goes into its document.
  test('write and accept queries that the document requires', async ({ folder, cli }) => {
    const required: readonly Required[] = [
      // Words of a product.
      ['searchPublicProducts', { name: 'q', schema: text }, { q: 'Linen' }],
      ['searchPublicProducts', { name: 'q[]', schema: { type: 'array', items: text } }, { 'q[]': 'Linen' }],
      [
        'getPublicRuntimeConfig',
        { name: 'query', schema: text, example: 'scarf: $' + '{a}' },
        { query: 'scarf: $$' + '{a}' },
      ],
      ['getPublicRuntimeConfig', { name: 's', schema: { ...text, default: 'yes' } }, { s: 'yes' }],
      [
        'listPublicContactChannels',
        { name: 'search', schema: { ...text, enum: ['null'] } },
        { search: 'null' },
      ],
      ['listPublicLegalDocuments', { $ref: '#/components/parameters/Term' }, { term: 'wool' }],
      [
        'listPublicLegalDocuments',
        { name: 'filter', style: 'deepObject', schema: { example: { name: 'wool' } } },
        { 'filter[name]': 'wool' },
      ],
      ['listPublicContactChannels', { name: '1', schema: { type: 'integer' } }, { '1': '1' }],
    ];
    const { file, outcomes } = await runRequiring({ folder, cli }, required);
    const queries: Record<string, object> = {};
    for (const [id, , query] of required) {
      queries[id] = { ...queries[id], ...query };
      expect(file['parameters']).not.toHaveProperty(id);
      expect(outcomes.get(id)).toBe('pass');
    }
    expect(file['query']).toEqual(queries);
  });

  test('leave open a query whose made-up value the service refuses', async ({ folder, cli }) => {
    const id = 'listPublicLegalDocuments';
    const { file, outcomes } = await runRequiring({ folder, cli }, [
      [id, { name: 'locale', schema: text }, { 'locale=de': 'never sent' }],
    ]);
    expect(file['query']).toBeUndefined();
    expect(await readFile(join(folder, 'target.yaml'), 'utf8')).toContain(`\n#query:\n#  ${id}: { … }`);
    expect(outcomes.get(id)).toBe('inconclusive');
  });
});
