import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, test } from 'vitest';
import { loadContract, type Operation } from './contract.ts';
import { packageRoot } from './package-root.ts';

const file = join(packageRoot, 'spec', 'openapi.yaml');
const contract = await loadContract();

/** Taken from the contract's own tables, not from openapi.yaml: group, auth or scope, call, request schema, 200 schema. */
const expected = `
getPublicRuntimeConfig                 storefront   none         GET  /runtime-config                                            -                           -
getPublicBootstrap                     storefront   none         GET  /bootstrap                                                 -                           OperationResponse
listPublicContactChannels              storefront   none         GET  /public/contact                                            -                           -
listPublicLegalDocuments               storefront   none         GET  /legal/documents                                           -                           -
searchPublicProducts                   storefront   none         GET  /search                                                    -                           -
listPublicProducts                     storefront   none         GET  /catalog/products                                          -                           -
getPublicMerchantProfile               storefront   none         GET  /catalog/merchants/{slug}                                  -                           -
listPublicCategories                   storefront   none         GET  /catalog/categories                                        -                           OperationResponse
getPublicProduct                       storefront   none         GET  /catalog/products/{slug}                                   -                           OperationResponse
listPublicMerchantProducts             storefront   none         GET  /catalog/merchants/{slug}/products                         -                           OperationResponse
listPublicMerchantCategories           storefront   none         GET  /catalog/merchants/{slug}/categories                       -                           OperationResponse
getPublicMerchantProduct               storefront   none         GET  /catalog/merchants/{merchantSlug}/products/{productSlug}   -                           OperationResponse
getPublicStorefrontDecoration          storefront   none         GET  /storefront-decorations/merchants/{slug}                   -                           OperationResponse
getPublicStoreSecurityConfig           storefront   none         GET  /public/store-access/{store}/config                        -                           OperationResponse
getInstallationCredentialIdentity      installation key          GET  /open/installation/identity                                -                           InstallationCredentialIdentityResponse
getInstallationCredentialReadiness     installation key          GET  /open/installation/readiness                               -                           InstallationCredentialReadinessResponse
getApiKeyIdentity                      catalog      key          GET  /open/identity                                             -                           ApiKeyIdentityResponse
listApiKeyCatalogCategories            catalog      key          GET  /open/catalog/categories                                   -                           OperationResponse
listApiKeyCatalogProducts              catalog      key          GET  /open/catalog/products                                     -                           OperationResponse
getApiKeyCatalogProduct                catalog      key          GET  /open/catalog/products/{slug}                              -                           OperationResponse
initiateHostedLogin                    hosted       catalog:read POST /open/hosted/login/initiate                                HostedLoginInitiateRequest  HostedLoginInitiationResponse
consumeHostedLoginReturn               hosted       catalog:read POST /open/hosted/login/return                                  HostedLoginReturnRequest    HostedLoginReturnResponse
createHostedCheckoutSession            hosted       catalog:read POST /open/hosted/checkout/sessions                             HostedCheckoutCreateRequest HostedCheckoutSessionResponse
getHostedCheckoutSession               hosted       catalog:read GET  /open/hosted/checkout/sessions/{sessionId}                 -                           HostedCheckoutSessionResponse
cancelHostedCheckoutSession            hosted       catalog:read POST /open/hosted/checkout/sessions/{sessionId}/cancel          HostedCheckoutCancelRequest HostedCheckoutSessionResponse
`
  .trim()
  .split('\n')
  .map((line) => line.split(/\s+/));

function toRow(operation: Operation): string[] {
  const { id, group, auth, scope, method, path, requestSchema, responseSchema } = operation;
  return [
    id,
    group,
    auth === 'none' ? 'none' : (scope ?? 'key'),
    method,
    path.replace(/^\/api\/v1(?=\/)/, ''),
    requestSchema ?? '-',
    responseSchema ?? '-',
  ];
}

describe('loadContract', () => {
  test.each(expected)('%s is as the contract has it', (...row) => {
    expect(contract.operations.filter(({ id }) => id === row[0]).map(toRow)).toEqual([row]);
  });

  test('has these operations and no others, all under /api/v1', () => {
    expect(contract.operations).toHaveLength(expected.length);
    expect(contract.operations.every(({ path }) => path.startsWith('/api/v1/'))).toBe(true);
  });

  test('path parameters stand in the order of the path', () => {
    expect(contract.operation('getPublicMerchantProduct').pathParameters).toEqual([
      'merchantSlug',
      'productSlug',
    ]);
  });

  test.each([
    ['creates-session', 'createHostedCheckoutSession'],
    ['reads-session', 'getHostedCheckoutSession'],
    ['ends-session', 'cancelHostedCheckoutSession'],
    ['initiates-login', 'initiateHostedLogin'],
    ['consumes-login', 'consumeHostedLoginReturn'],
    ['identifies-key', 'getApiKeyIdentity'],
    ['identifies-installation', 'getInstallationCredentialIdentity'],
    ['lists-products', 'listPublicProducts'],
    ['searches-products', 'searchPublicProducts'],
  ] as const)('the operation that %s is %s', (role, id) => {
    expect(contract.withRole(role)?.id).toBe(id);
  });

  test('operations on one resource know each other', () => {
    expect(contract.withRole('reads-session')?.peers).toEqual({
      'creates-session': 'createHostedCheckoutSession',
      'reads-session': 'getHostedCheckoutSession',
      'ends-session': 'cancelHostedCheckoutSession',
    });
    expect(contract.issuerOf('sessionId')?.role).toBe('creates-session');
    expect(contract.issuerOf('slug')).toBeUndefined();
  });

  test('the read that identifies the key comes first among those that take any key', () => {
    expect(contract.keyedReads.map(({ id }) => id)).toEqual([
      'getApiKeyIdentity',
      'getInstallationCredentialIdentity',
      'getInstallationCredentialReadiness',
      'listApiKeyCatalogCategories',
      'listApiKeyCatalogProducts',
    ]);
    expect(contract.publicReads.map(({ id }) => id)).toEqual(['getPublicBootstrap', 'listPublicCategories']);
  });

  test('path parameters name products or merchants where the contract says so', () => {
    expect(contract.parametersNaming('merchant')).toEqual(['store', 'merchantSlug']);
    expect(contract.parametersNaming('product')).toEqual(['productSlug']);
    expect(contract.operation('getPublicProduct').parameterKinds).toEqual({ slug: 'product' });
    expect(contract.operation('listPublicMerchantProducts').parameterKinds).toEqual({ slug: 'merchant' });
  });

  test('of the six operations known by path only, the ids are ours and query parameters are not shown', () => {
    const paths = (which: (operation: Operation) => unknown) =>
      contract.operations.filter(which).map(({ path }) => path.replace('/api/v1/', ''));
    expect(paths(({ idIsOurs }) => idIsOurs).sort()).toEqual([
      'catalog/merchants/{slug}',
      'catalog/products',
      'legal/documents',
      'public/contact',
      'runtime-config',
      'search',
    ]);
    expect(paths(({ queryNotShown }) => queryNotShown)).toEqual(paths(({ idIsOurs }) => idIsOurs));
  });

  test('the digest is taken over the bytes of the file', () => {
    const digest = createHash('sha256').update(readFileSync(file)).digest('hex');
    expect(contract.digest).toBe(`sha256:${digest}`);
  });
});

/** The document with its references resolved, as far as the tests below look at it. */
interface ResolvedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ResolvedOperation>>>>;
  readonly components: {
    readonly securitySchemes: unknown;
    readonly schemas: Readonly<Record<string, unknown>>;
  };
}

interface ResolvedOperation {
  readonly operationId: string;
  readonly parameters?: ReadonlyArray<Readonly<Record<string, unknown>>>;
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Readonly<Record<string, { readonly headers?: unknown; readonly content?: unknown }>>;
}

describe('spec/openapi.yaml', async () => {
  // validate() resolves references in place, so that one shared object stands for each schema.
  const document = (await SwaggerParser.validate(file)) as unknown as ResolvedDocument;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.values(item).map((operation) => ({ path, operation })),
  );

  test('the key goes into the Authorization header', () => {
    expect(document.components.securitySchemes).toEqual({
      ApiKey: { type: 'apiKey', in: 'header', name: 'Authorization' },
    });
  });

  test('schemas are open and say so', () => {
    for (const schema of Object.values(document.components.schemas)) {
      expect(schema).toEqual({ 'x-fields-not-shown': true });
    }
  });

  for (const { path, operation } of operations) {
    test(`${operation.operationId} declares 200 and the six errors, each with a PublicErrorResponse`, () => {
      expect(Object.keys(operation.responses)).toEqual(['200', '400', '401', '403', '404', '409', '429']);
      for (const [status, response] of Object.entries(operation.responses)) {
        expect(response.headers).toBeUndefined();
        if (status === '200') continue;
        expect(response.content).toEqual({ 'application/json': { schema: expect.anything() } });
        const { schema } =
          (response.content as Record<string, { schema: unknown }>)['application/json'] ?? {};
        expect(schema).toBe(document.components.schemas['PublicErrorResponse']);
      }
    });

    test(`${operation.operationId} declares its path parameters as required strings and no others`, () => {
      const names = Array.from(path.matchAll(/\{(.+?)\}/g), ([, name]) => name);
      const declared = (operation.parameters ?? []).map(
        ({ 'x-conformance-names': _, ...parameter }) => parameter,
      );
      expect(declared).toEqual(
        names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      );
    });
  }

  test('request bodies are required', () => {
    const bodies = operations.flatMap(({ operation }) => operation.requestBody ?? []);
    expect(bodies.map(({ required }) => required)).toEqual([true, true, true, true]);
  });
});
