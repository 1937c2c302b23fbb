import { describe, expect, it } from 'vitest';
import { loadContract } from '../../spec/contract.ts';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import type { DocumentDeviation } from '../model/supplied-document.ts';
import { compareWithContract } from './compare-with-contract.ts';
import { at, contractAsDocument, documentOf } from './document-for-tests.ts';
import type { Changeable } from './place.ts';

const contract = await loadContract();

const identity = '/api/v1/open/identity';
const sessions = '/api/v1/open/hosted/checkout/sessions';

function deviations(change: (content: Changeable) => void): readonly DocumentDeviation[] {
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

/** A change that puts a value at a place, or takes away what is there. */
function put(steps: readonly string[], value?: unknown): (content: Changeable) => void {
  return (content) => {
    const holder = at(content, ...steps.slice(0, -1));
    if (value === undefined) delete holder[steps.at(-1) ?? ''];
    else holder[steps.at(-1) ?? ''] = value;
  };
}

/** A change of the security of all operations that need a key, by whether they need the scope. */
function secure(securityFor: (isScoped: boolean) => Changeable): (content: Changeable) => void {
  return (content) => {
    for (const operation of operationsIn(content)) {
      const written = JSON.stringify(operation['security']);
      if (written.includes('ApiKey')) Object.assign(operation, securityFor(written.includes('catalog:read')));
    }
  };
}

const read = ['paths', identity, 'get'];
const create = ['paths', sessions, 'post'];
const bootstrap = ['paths', '/api/v1/bootstrap', 'get'];
const response = (status: string): string[] => [...read, 'responses', status];
const answer = [...response('200'), 'content', 'application/json', 'schema'];
const responses = ['components', 'responses'];
const schemes = ['components', 'securitySchemes'];
const schemas = ['components', 'schemas'];
const json = (schema: unknown, type = 'application/json'): Changeable => ({
  description: 'An answer.',
  content: { [type]: { schema } },
});
const errorBody = { $ref: '#/components/schemas/PublicErrorResponse' };
const identityBody = { $ref: '#/components/schemas/ApiKeyIdentityResponse' };

type Change = (content: Changeable) => void;

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
    ['inline answers', put(response('404'), json(errorBody))],
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

  for (const [name, ...changes] of conforming) {
    it(`has ${name}`, () => {
      const changeAll: Change = (content) => {
        for (const change of changes) change(content);
      };
      expect(deviations(changeAll)).toEqual([]);
    });
  }
});

describe('a document that deviates', () => {
  type Expected = Partial<Record<keyof DocumentDeviation, unknown>>;
  const whole = undefined;
  const operation = ids.identity;
  const move =
    (from: readonly string[], to: readonly string[]): Change =>
    (content) => {
      put(to, at(content, ...from))(content);
      put(from)(content);
    };
  const forbidden: ReadonlyArray<readonly [name: string, change: Change, expected: Expected]> = [
    [
      'is of another version',
      put(['openapi'], '3.0.3'),
      { operation: whole, expected: 'openapi: 3.1.x', actual: 'openapi: 3.0.3' },
    ],
    [
      'lacks an operation',
      put(['paths', identity]),
      { operation, expected: `GET ${identity}`, actual: 'no such operation' },
    ],
    [
      'has another method',
      move(read, ['paths', identity, 'post']),
      { operation, actual: `POST ${identity}` },
    ],
    [
      'has an operation elsewhere',
      move(['paths', identity], ['paths', '/api/v1/whoami']),
      { operation, actual: 'GET /api/v1/whoami' },
    ],
    [
      'has an operation without the prefix',
      move(['paths', identity], ['paths', '/v1/open/identity']),
      { operation, actual: 'GET /v1/open/identity' },
    ],
    [
      'has another operationId',
      put([...read, 'operationId'], 'whoAmI'),
      { operation, expected: ids.identity, actual: 'whoAmI' },
    ],
    ['has no operationId', put([...read, 'operationId']), { operation, actual: 'no operationId' }],
    [
      'repeats an operationId',
      put(['paths', '/api/v1/health'], { get: { operationId: ids.identity } }),
      {
        operation: whole,
        kind: 'repeated-operation-id',
        actual: `${ids.identity} at GET ${identity} and at GET /api/v1/health`,
      },
    ],
    [
      'asks for credentials in public',
      put([...bootstrap, 'security'], [{ ApiKey: [] }]),
      {
        operation: ids.bootstrap,
        statement: 'The public operation requires credentials',
        actual: 'security by ApiKey',
      },
    ],
    [
      'asks for none where a key is needed',
      put([...read, 'security'], []),
      { operation, actual: 'no security requirement' },
    ],
    [
      'makes the key optional',
      put([...read, 'security'], [{}, { ApiKey: [] }]),
      { operation, actual: 'no security requirement' },
    ],
    [
      'takes the key in another header',
      (content) => {
        put([...schemes, 'Other'], { type: 'apiKey', in: 'header', name: 'X-Api-Key' })(content);
        put([...read, 'security'], [{ Other: [] }])(content);
      },
      { operation, actual: 'security by Other (apiKey in header X-Api-Key)' },
    ],
    [
      'uses a scheme that is not defined',
      put([...read, 'security'], [{ Gone: [] }]),
      { operation, actual: 'security by Gone (not defined)' },
    ],
    [
      'lacks the scope',
      put([...create, 'security'], [{ ApiKey: [] }]),
      { operation: ids.create, expected: 'catalog:read', actual: 'no scope' },
    ],
    [
      'has another scope',
      put([...create, 'security'], [{ ApiKey: ['checkout:write'] }]),
      { operation: ids.create, expected: 'catalog:read', actual: 'checkout:write' },
    ],
    [
      'has one scope more',
      put([...create, 'security'], [{ ApiKey: ['catalog:read', 'more'] }]),
      { operation: ids.create, actual: 'catalog:read, more' },
    ],
    [
      'asks for a scope where none is needed',
      put([...read, 'security'], [{ ApiKey: ['catalog:read'] }]),
      { operation, expected: 'no scope', actual: 'catalog:read' },
    ],
    [
      'lacks an error status',
      put(response('409')),
      { operation, statement: 'The operation does not declare 409', actual: 'no 409' },
    ],
    [
      'declares an error by default only',
      move(response('409'), response('default')),
      { operation, actual: 'only default, which declares other statuses too' },
    ],
    [
      'has another error schema',
      put(response('409'), json({ $ref: '#/components/schemas/OperationResponse' })),
      { operation, expected: 'PublicErrorResponse', actual: 'OperationResponse' },
    ],
    [
      'has an inline error schema',
      put(response('409'), json({ type: 'object' })),
      { operation, actual: 'an inline schema' },
    ],
    [
      'has an error without a body',
      put(response('409'), { description: 'A conflict.' }),
      { operation, actual: 'no JSON body' },
    ],
    [
      'has another schema of a 200',
      put(answer, { $ref: '#/components/schemas/OperationResponse' }),
      { operation, expected: 'ApiKeyIdentityResponse', actual: 'OperationResponse' },
    ],
    [
      'has 201 in place of 200',
      move(response('200'), response('201')),
      { operation, statement: 'The operation does not declare 200', actual: '201 in place of 200' },
    ],
    [
      'has further statuses',
      (content) => {
        put(response('500'), { description: 'Oh no.' })(content);
        put(response('422'), { description: 'Oh no.' })(content);
      },
      { operation, actual: '422, 500' },
    ],
    [
      'has an optional body',
      put([...create, 'requestBody', 'required']),
      { operation: ids.create, actual: 'an optional requestBody' },
    ],
    ['has no body', put([...create, 'requestBody']), { operation: ids.create, actual: 'no requestBody' }],
    [
      'has another schema of a body',
      put([...create, 'requestBody', 'content', 'application/json', 'schema'], {
        $ref: '#/components/schemas/HostedCheckoutCancelRequest',
      }),
      { expected: 'HostedCheckoutCreateRequest', actual: 'HostedCheckoutCancelRequest' },
    ],
    [
      'has a body where there is none',
      put([...read, 'requestBody'], { content: {} }),
      { operation, expected: 'no requestBody' },
    ],
    [
      'has a query parameter',
      put([...read, 'parameters'], [{ name: 'page', in: 'query', schema: { type: 'integer' } }]),
      { operation, actual: 'query parameter page' },
    ],
    [
      'has a path parameter that is no string',
      put(['components', 'parameters', 'store', 'schema'], { type: 'integer' }),
      { operation: ids.storeConfig, actual: 'of type integer' },
    ],
    [
      'has a path parameter that it does not declare',
      put(['paths', `${sessions}/{sessionId}`, 'get', 'parameters']),
      { operation: ids.read, actual: 'not declared' },
    ],
    [
      'offers OAuth at one of the 25',
      (content) => {
        put([...schemes, 'Login'], { type: 'oauth2', flows: {} })(content);
        put([...read, 'security'], [{ ApiKey: [] }, { Login: [] }])(content);
      },
      {
        operation,
        statement: 'The document offers OAuth, which the contract excludes',
        actual: 'Login',
      },
    ],
    [
      'offers OAuth elsewhere',
      (content) => {
        put([...schemes, 'Login'], { type: 'openIdConnect', openIdConnectUrl: '/x' })(content);
        put(['paths', '/api/v1/me'], { get: { security: [{ Login: [] }], responses: {} } })(content);
      },
      { operation: whole, kind: 'offers-oauth', actual: 'GET /api/v1/me by Login' },
    ],
    ...(
      [
        ['OAuth', 'post', '/oauth/token'],
        ['orders', 'get', '/api/v1/orders/{id}'],
        ['webhook subscriptions', 'post', '/api/v1/open/webhook_subscriptions'],
        ['webhook subscriptions', 'get', '/api/v1/webhooks'],
        ['installation writes', 'put', '/api/v1/open/installation/settings'],
        ['bot challenges', 'post', '/api/v1/public/challenge'],
      ] as const
    ).map(([capability, method, path]): (typeof forbidden)[number] => [
      `offers ${capability} at ${path}`,
      put(['paths', path], { [method]: { responses: {} } }),
      {
        operation: whole,
        statement: `The document offers ${capability}, which the contract excludes`,
        actual: `${method.toUpperCase()} ${path}`,
      },
    ]),
    [
      'describes webhooks',
      put(['webhooks'], { orderPaid: { post: {} } }),
      { operation: whole, kind: 'offers-webhook-subscriptions', actual: 'orderPaid' },
    ],
    [
      'has a schema that is broken',
      put([...schemas, 'ApiKeyIdentityResponse'], { type: 'strng' }),
      { operation: whole, statement: 'A schema of the document cannot be used' },
    ],
  ];

  for (const [name, change, expected] of forbidden) {
    it(name, () => {
      const found = deviations(change);
      expect(found).toEqual([expect.objectContaining(expected)]);
      for (const { statement, expected: wanted, actual } of found) {
        expect([statement, wanted, actual].every((text) => text !== '' && !text.includes('undefined'))).toBe(
          true,
        );
      }
    });
  }

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
