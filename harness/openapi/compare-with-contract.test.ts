import { describe, expect, it } from 'vitest';
import { loadContract } from '../../spec/contract.ts';
import { pointerOf } from '../json-pointers.ts';
import type { DocumentDeviation } from '../model/supplied-document.ts';
import { compareWithContract } from './compare-with-contract.ts';
import { at, contractAsDocument, documentOf } from './document-for-tests.ts';
import type { Changeable } from './place.ts';
import { all, type Change, json, places, planted, put } from './planted-deviations-for-tests.ts';

const contract = await loadContract();

function deviations(change: Change): readonly DocumentDeviation[] {
  const content = contractAsDocument();
  change(content);
  return compareWithContract(documentOf(content), contract);
}

/** Every operation object of a document. */
function operationsIn(content: Changeable): readonly Changeable[] {
  const paths = at(content, 'paths');
  return Object.keys(paths).flatMap((path) => Object.values(at(paths, path)) as Changeable[]);
}

function movePaths(content: Changeable, rename: (path: string) => string): void {
  const entries = Object.entries(at(content, 'paths'));
  content['paths'] = Object.fromEntries(entries.map(([path, item]) => [rename(path), item]));
}

/** A change of the security of all operations that need a key, by whether they need the scope. */
function secure(securityFor: (isScoped: boolean) => Changeable): Change {
  return (content) => {
    for (const operation of operationsIn(content)) {
      const written = JSON.stringify(operation['security']);
      if (written.includes('ApiKey')) Object.assign(operation, securityFor(written.includes('catalog:read')));
    }
  };
}

const { read, bootstrap, responses, schemes, schemas, answer } = places;
const sessions = '/api/v1/open/hosted/checkout/sessions';
const errorBody = { $ref: '#/components/schemas/PublicErrorResponse' };
const identityBody = { $ref: '#/components/schemas/ApiKeyIdentityResponse' };

describe('a document that conforms', () => {
  const conforming: ReadonlyArray<readonly [name: string, ...changes: readonly Change[]]> = [
    ['the contract itself'],
    ['a patch release of OpenAPI 3.1', put(['openapi'], '3.1.1')],
    [
      'the prefix in its servers',
      put(['servers'], [{ url: 'https://shop.example/gateway/api/v1' }]),
      (content) => movePaths(content, (path) => path.slice('/api/v1'.length)),
    ],
    ['a prefix before the prefix', (content) => movePaths(content, (path) => `/gateway${path}`)],
    [
      'other names of path parameters',
      (content) => movePaths(content, (path) => path.replace('{slug}', '{handle}')),
      put(['components', 'parameters', 'productBySlug', 'name'], 'handle'),
      put(['components', 'parameters', 'merchantBySlug', 'name'], 'handle'),
    ],
    [
      'parameters of the path item',
      (content) => {
        const item = at(content, 'paths', `${sessions}/{sessionId}`);
        item['parameters'] = at(item, 'get')['parameters'];
        delete at(item, 'get')['parameters'];
      },
    ],
    ['a key as bearer', put([...schemes, 'ApiKey'], { type: 'http', scheme: 'bearer' })],
    [
      'another name of the scheme, for all',
      put([...schemes, 'shop-key'], { type: 'apiKey', in: 'header', name: 'authorization' }),
      secure((isScoped) => ({ security: [{ 'shop-key': isScoped ? ['catalog:read'] : [] }] })),
    ],
    [
      'security once for all, lifted for public reads',
      put(['security'], [{ ApiKey: [] }]),
      put([...read, 'security']),
    ],
    ['public reads that may be called with a key', put([...bootstrap, 'security'], [{}, { ApiKey: [] }])],
    ['no word on security for public reads', put([...bootstrap, 'security'])],
    [
      'scopes as an extension',
      secure((isScoped) => ({
        security: [{ ApiKey: [] }],
        ...(isScoped && { 'x-required-scopes': ['catalog:read'] }),
      })),
    ],
    [
      'a scheme of its own for keys with the scope',
      put([...schemes, 'ScopedKey'], {
        type: 'http',
        scheme: 'bearer',
        'x-scopes': { 'catalog:read': 'reads' },
      }),
      secure((isScoped) => ({ security: [{ [isScoped ? 'ScopedKey' : 'ApiKey']: [] }] })),
    ],
    ['inline answers', put([...read, 'responses', '404'], json(errorBody))],
    ['other JSON media types', put([...responses, 'NotFound'], json(errorBody, 'application/problem+json'))],
    ['other media types beside JSON', put([...responses, 'NotFound', 'content', 'text/html'], {})],
    ['any media type', put([...responses, 'NotFound'], json(errorBody, '*/*'))],
    [
      'schemas that extend the named one',
      put(answer, { allOf: [identityBody, { properties: { more: { type: 'string' } } }] }),
    ],
    [
      'an inline schema with the name as its title',
      put(answer, { title: 'ApiKeyIdentityResponse', type: 'object' }),
    ],
    [
      'fields, circular ones too',
      put([...schemas, 'PublicErrorResponse'], {
        type: 'object',
        properties: { code: { type: 'string' }, cause: errorBody },
      }),
    ],
    ['other headers of a 429', put([...responses, 'RateLimited', 'headers'], { 'X-RateLimit-Limit': {} })],
    [
      'any details of the six operations',
      put(['paths', '/api/v1/search', 'get', 'operationId'], 'find'),
      put(['paths', '/api/v1/search', 'get', 'parameters'], [{ name: 'q', in: 'query', schema: {} }]),
      put(['paths', '/api/v1/search', 'get', 'responses', '200'], json({})),
      put(['paths', '/api/v1/legal/documents', 'get', 'operationId']),
    ],
    [
      'other operations',
      put(['paths', '/api/v1/health'], { get: { responses: {} } }),
      put(['paths', '/api/v1/open/installation/status'], { get: { responses: {} } }),
      put(['paths', '/api/v1/reorder-hints'], { post: { responses: {} } }),
      put(['paths', '/internal/orders'], { post: { responses: {} } }),
      put(['paths', '/api/v1/webhooks'], { post: { 'x-internal': true, responses: {} } }),
    ],
    ['a scheme of OAuth that nothing uses', put([...schemes, 'Later'], { type: 'oauth2', flows: {} })],
    ['broken schemas that the 25 do not use', put([...schemas, 'Other'], { type: 'strng' })],
  ];

  it.each(conforming.map(([name, ...changes]) => [name, all(...changes)] as const))('has %s', (_, change) => {
    expect(deviations(change)).toEqual([]);
  });
});

describe('a document that deviates', () => {
  it.each(planted)('%s', (_name, change, place, advice, expected) => {
    const found = deviations(change);
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ operation }) => operation)).size).toBe(found.length);
    for (const one of found) {
      expect(one).toMatchObject(expected);
      expect(pointerOf(one.at)).toContain(place);
      expect(one.fix).toContain(advice);
      for (const text of [one.statement, one.expected, one.actual]) expect(text).not.toMatch(/^$|undefined/);
    }
  });

  it('declares Retry-After, at every operation that refers to the answer', () => {
    const found = deviations(
      put([...responses, 'RateLimited', 'headers'], { 'retry-after': { schema: {} } }),
    );
    expect(found.map(({ operation }) => operation)).toEqual(contract.operations.map(({ id }) => id));
    expect(new Set(found.map(({ statement }) => statement))).toEqual(
      new Set(['A Retry-After header is declared for 429']),
    );
  });

  it('has 100,000 parameters more, which are one deviation', () => {
    const many = Array.from({ length: 100_000 }, (_, number) => ({ name: `p${number}`, in: 'query' }));
    const found = deviations(put([...read, 'parameters'], many));
    expect(found.map(({ actual }) => actual)).toEqual([
      'query parameter p0, query parameter p1, query parameter p2, query parameter p3, query parameter p4 and 99995 more',
    ]);
  });

  it('is empty', () => {
    const found = compareWithContract(documentOf({ openapi: '3.1.0' }), contract);
    expect(found).toHaveLength(25);
    expect(new Set(found.map(({ actual }) => actual))).toEqual(new Set(['no such operation']));
  });

  it('is anything at all, without a crash', () => {
    for (const paths of [
      null,
      [],
      'x',
      { '/api/v1/bootstrap': null },
      { '/api/v1/bootstrap': { get: [] } },
    ]) {
      const content = { openapi: '3.1.0', paths, servers: 'x', components: 7, security: 'x', webhooks: [] };
      expect(compareWithContract(documentOf(content), contract).length).toBeGreaterThan(0);
    }
  });
});
