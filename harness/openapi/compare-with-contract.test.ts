import { describe, expect, it } from 'vitest';
import { loadContract } from '../../spec/contract.ts';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import type { DocumentDeviation } from '../model/supplied-document.ts';
import { compareWithContract } from './compare-with-contract.ts';
import { at, type Changeable, contractAsDocument, documentOf } from './document-for-tests.ts';

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

describe('a document that conforms', () => {
  const conforming: ReadonlyArray<readonly [name: string, change: (content: Changeable) => void]> = [
    ['the contract itself', () => undefined],
    [
      'a patch release of OpenAPI 3.1',
      (content) => {
        content['openapi'] = '3.1.1';
      },
    ],
    [
      'the prefix in its servers',
      (content) => {
        content['servers'] = [{ url: 'https://shop.example/gateway/api/v1' }];
        movePaths(content, (path) => path.slice('/api/v1'.length));
      },
    ],
    ['a prefix before the prefix', (content) => movePaths(content, (path) => `/gateway${path}`)],
    [
      'other names of path parameters',
      (content) => {
        movePaths(content, (path) => path.replace('{slug}', '{handle}'));
        for (const name of ['productBySlug', 'merchantBySlug'])
          at(content, 'components', 'parameters', name)['name'] = 'handle';
      },
    ],
    [
      'parameters of the path item',
      (content) => {
        const item = at(content, 'paths', `${sessions}/{sessionId}`);
        item['parameters'] = at(item, 'get')['parameters'];
        delete at(item, 'get')['parameters'];
      },
    ],
    [
      'a key as bearer',
      (content) => {
        at(content, 'components', 'securitySchemes')['ApiKey'] = { type: 'http', scheme: 'bearer' };
      },
    ],
    [
      'another name of the scheme, for all',
      (content) => {
        const schemes = at(content, 'components', 'securitySchemes');
        schemes['shop-key'] = { type: 'apiKey', in: 'header', name: 'authorization' };
        for (const operation of operationsIn(content)) {
          const [requirement] = operation['security'] as Array<Readonly<Record<string, unknown>>>;
          if (requirement !== undefined) operation['security'] = [{ 'shop-key': requirement['ApiKey'] }];
        }
      },
    ],
    [
      'security once for all, lifted for public reads',
      (content) => {
        content['security'] = [{ ApiKey: [] }];
        delete at(content, 'paths', identity, 'get')['security'];
      },
    ],
    [
      'public reads that may be called with a key',
      (content) => {
        at(content, 'paths', '/api/v1/bootstrap', 'get')['security'] = [{}, { ApiKey: [] }];
      },
    ],
    [
      'no word on security for public reads',
      (content) => {
        delete at(content, 'paths', '/api/v1/bootstrap', 'get')['security'];
      },
    ],
    [
      'scopes as an extension',
      (content) => {
        for (const operation of operationsIn(content)) {
          if (!JSON.stringify(operation['security']).includes('catalog:read')) continue;
          operation['security'] = [{ ApiKey: [] }];
          operation['x-required-scopes'] = ['catalog:read'];
        }
      },
    ],
    [
      'a scheme of its own for keys with the scope',
      (content) => {
        at(content, 'components', 'securitySchemes')['ScopedKey'] = {
          type: 'http',
          scheme: 'bearer',
          'x-scopes': { 'catalog:read': 'reads the catalog' },
        };
        for (const operation of operationsIn(content)) {
          if (JSON.stringify(operation['security']).includes('catalog:read')) {
            operation['security'] = [{ ScopedKey: [] }];
          }
        }
      },
    ],
    [
      'inline answers',
      (content) => {
        at(content, 'paths', identity, 'get', 'responses')['404'] = at(
          content,
          'components',
          'responses',
          'NotFound',
        );
      },
    ],
    [
      'other JSON media types',
      (content) => {
        const response = at(content, 'components', 'responses', 'NotFound');
        response['content'] = { 'application/problem+json': at(response, 'content', 'application/json') };
      },
    ],
    [
      'other media types beside JSON',
      (content) => {
        at(content, 'components', 'responses', 'NotFound', 'content')['text/html'] = {};
      },
    ],
    [
      'any media type',
      (content) => {
        const response = at(content, 'components', 'responses', 'NotFound');
        response['content'] = { '*/*': at(response, 'content', 'application/json') };
      },
    ],
    [
      'schemas that extend the named one',
      (content) => {
        const json = at(content, 'paths', identity, 'get', 'responses', '200', 'content', 'application/json');
        json['schema'] = { allOf: [json['schema'], { properties: { more: { type: 'string' } } }] };
      },
    ],
    [
      'an inline schema with the name as its title',
      (content) => {
        const json = at(content, 'paths', identity, 'get', 'responses', '200', 'content', 'application/json');
        json['schema'] = { title: 'ApiKeyIdentityResponse', type: 'object' };
      },
    ],
    [
      'fields, circular ones too',
      (content) => {
        at(content, 'components', 'schemas')['PublicErrorResponse'] = {
          type: 'object',
          properties: {
            code: { type: 'string' },
            cause: { $ref: '#/components/schemas/PublicErrorResponse' },
          },
        };
      },
    ],
    [
      'other headers of a 429',
      (content) => {
        at(content, 'components', 'responses', 'RateLimited')['headers'] = { 'X-RateLimit-Limit': {} };
      },
    ],
    [
      'any details of the six operations',
      (content) => {
        const search = at(content, 'paths', '/api/v1/search', 'get');
        search['operationId'] = 'find';
        search['parameters'] = [{ name: 'q', in: 'query', schema: { type: 'string' } }];
        at(search, 'responses')['200'] = {
          description: 'Found.',
          content: { 'application/json': { schema: {} } },
        };
        delete at(content, 'paths', '/api/v1/legal/documents', 'get')['operationId'];
      },
    ],
    [
      'other operations',
      (content) => {
        const paths = at(content, 'paths');
        paths['/api/v1/health'] = { get: { responses: {} } };
        paths['/api/v1/open/installation/status'] = { get: { responses: {} } };
        paths['/api/v1/reorder-hints'] = { post: { responses: {} } };
        paths['/internal/orders'] = { post: { responses: {} } };
        paths['/api/v1/webhooks'] = { post: { 'x-internal': true, responses: {} } };
      },
    ],
    [
      'a scheme of OAuth that nothing uses',
      (content) => {
        at(content, 'components', 'securitySchemes')['Later'] = { type: 'oauth2', flows: {} };
      },
    ],
    [
      'broken schemas that the 25 do not use',
      (content) => {
        at(content, 'components', 'schemas')['Other'] = { type: 'strng' };
      },
    ],
  ];

  it.each(conforming)('has %s', (_name, change) => {
    expect(deviations(change)).toEqual([]);
  });
});

describe('a document that deviates', () => {
  type Expected = Partial<Record<keyof DocumentDeviation, unknown>>;
  const whole = undefined;
  const forbidden: ReadonlyArray<
    readonly [name: string, change: (content: Changeable) => void, ...expected: readonly Expected[]]
  > = [
    [
      'is of another version',
      (content) => {
        content['openapi'] = '3.0.3';
      },
      { operation: whole, expected: 'openapi: 3.1.x', actual: 'openapi: 3.0.3' },
    ],
    [
      'lacks an operation',
      (content) => {
        delete at(content, 'paths')[identity];
      },
      { operation: ids.identity, expected: `GET ${identity}`, actual: 'no such operation' },
    ],
    [
      'has another method',
      (content) => {
        const item = at(content, 'paths', identity);
        item['post'] = item['get'];
        delete item['get'];
      },
      { operation: ids.identity, actual: `POST ${identity}` },
    ],
    [
      'has an operation elsewhere',
      (content) => movePaths(content, (path) => path.replace(identity, '/api/v1/whoami')),
      { operation: ids.identity, actual: 'GET /api/v1/whoami' },
    ],
    [
      'has an operation without the prefix',
      (content) => movePaths(content, (path) => path.replace(identity, '/v1/open/identity')),
      { operation: ids.identity, actual: 'GET /v1/open/identity' },
    ],
    [
      'has another operationId',
      (content) => {
        at(content, 'paths', identity, 'get')['operationId'] = 'whoAmI';
      },
      { operation: ids.identity, expected: ids.identity, actual: 'whoAmI' },
    ],
    [
      'has no operationId',
      (content) => {
        delete at(content, 'paths', identity, 'get')['operationId'];
      },
      { operation: ids.identity, actual: 'no operationId' },
    ],
    [
      'asks for credentials in public',
      (content) => {
        at(content, 'paths', '/api/v1/bootstrap', 'get')['security'] = [{ ApiKey: [] }];
      },
      {
        operation: ids.bootstrap,
        statement: 'The public operation requires credentials',
        actual: 'security by ApiKey',
      },
    ],
    [
      'asks for none where a key is needed',
      (content) => {
        at(content, 'paths', identity, 'get')['security'] = [];
      },
      { operation: ids.identity, actual: 'no security requirement' },
    ],
    [
      'makes the key optional',
      (content) => {
        at(content, 'paths', identity, 'get')['security'] = [{}, { ApiKey: [] }];
      },
      { operation: ids.identity, actual: 'no security requirement' },
    ],
    [
      'takes the key in another header',
      (content) => {
        const schemes = at(content, 'components', 'securitySchemes');
        schemes['Other'] = { type: 'apiKey', in: 'header', name: 'X-Api-Key' };
        at(content, 'paths', identity, 'get')['security'] = [{ Other: [] }];
      },
      { operation: ids.identity, actual: 'security by Other (apiKey in header X-Api-Key)' },
    ],
    [
      'uses a scheme that is not defined',
      (content) => {
        at(content, 'paths', identity, 'get')['security'] = [{ Gone: [] }];
      },
      { operation: ids.identity, actual: 'security by Gone (not defined)' },
    ],
    [
      'lacks the scope',
      (content) => {
        at(content, 'paths', sessions, 'post')['security'] = [{ ApiKey: [] }];
      },
      { operation: ids.create, expected: 'catalog:read', actual: 'no scope' },
    ],
    [
      'has another scope',
      (content) => {
        at(content, 'paths', sessions, 'post')['security'] = [{ ApiKey: ['checkout:write'] }];
      },
      { operation: ids.create, expected: 'catalog:read', actual: 'checkout:write' },
    ],
    [
      'has one scope more',
      (content) => {
        at(content, 'paths', sessions, 'post')['security'] = [{ ApiKey: ['catalog:read', 'more'] }];
      },
      { operation: ids.create, actual: 'catalog:read, more' },
    ],
    [
      'asks for a scope where none is needed',
      (content) => {
        at(content, 'paths', identity, 'get')['security'] = [{ ApiKey: ['catalog:read'] }];
      },
      { operation: ids.identity, expected: 'no scope', actual: 'catalog:read' },
    ],
    [
      'lacks an error status',
      (content) => {
        delete at(content, 'paths', identity, 'get', 'responses')['409'];
      },
      { operation: ids.identity, statement: 'The operation does not declare 409', actual: 'no 409' },
    ],
    [
      'declares an error by default only',
      (content) => {
        const responses = at(content, 'paths', identity, 'get', 'responses');
        responses['default'] = responses['409'];
        delete responses['409'];
      },
      { operation: ids.identity, actual: 'only default, which declares other statuses too' },
    ],
    [
      'has another error schema',
      (content) => {
        at(content, 'components', 'schemas')['Problem'] = { type: 'object' };
        at(content, 'paths', identity, 'get', 'responses')['409'] = {
          description: 'A conflict.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
        };
      },
      { operation: ids.identity, expected: 'PublicErrorResponse', actual: 'Problem' },
    ],
    [
      'has an inline error schema',
      (content) => {
        at(content, 'paths', identity, 'get', 'responses')['409'] = {
          description: 'A conflict.',
          content: { 'application/json': { schema: { type: 'object' } } },
        };
      },
      { operation: ids.identity, actual: 'an inline schema' },
    ],
    [
      'has an error without a body',
      (content) => {
        at(content, 'paths', identity, 'get', 'responses')['409'] = { description: 'A conflict.' };
      },
      { operation: ids.identity, actual: 'no JSON body' },
    ],
    [
      'has another schema of a 200',
      (content) => {
        const json = at(content, 'paths', identity, 'get', 'responses', '200', 'content', 'application/json');
        json['schema'] = { $ref: '#/components/schemas/OperationResponse' };
      },
      { operation: ids.identity, expected: 'ApiKeyIdentityResponse', actual: 'OperationResponse' },
    ],
    [
      'has 201 in place of 200',
      (content) => {
        const responses = at(content, 'paths', sessions, 'post', 'responses');
        responses['201'] = responses['200'];
        delete responses['200'];
      },
      {
        operation: ids.create,
        statement: 'The operation does not declare 200',
        actual: '201 in place of 200',
      },
    ],
    [
      'has further statuses',
      (content) => {
        at(content, 'paths', identity, 'get', 'responses')['500'] = { description: 'Oh no.' };
        at(content, 'paths', identity, 'get', 'responses')['422'] = { description: 'Oh no.' };
      },
      { operation: ids.identity, actual: '422, 500' },
    ],
    [
      'has an optional body',
      (content) => {
        delete at(content, 'paths', sessions, 'post', 'requestBody')['required'];
      },
      { operation: ids.create, actual: 'an optional requestBody' },
    ],
    [
      'has no body',
      (content) => {
        delete at(content, 'paths', sessions, 'post')['requestBody'];
      },
      { operation: ids.create, actual: 'no requestBody' },
    ],
    [
      'has another schema of a body',
      (content) => {
        const json = at(content, 'paths', sessions, 'post', 'requestBody', 'content', 'application/json');
        json['schema'] = { $ref: '#/components/schemas/HostedCheckoutCancelRequest' };
      },
      { expected: 'HostedCheckoutCreateRequest', actual: 'HostedCheckoutCancelRequest' },
    ],
    [
      'has a body where there is none',
      (content) => {
        at(content, 'paths', identity, 'get')['requestBody'] = { content: {} };
      },
      { operation: ids.identity, expected: 'no requestBody' },
    ],
    [
      'has a query parameter',
      (content) => {
        at(content, 'paths', identity, 'get')['parameters'] = [
          { name: 'page', in: 'query', schema: { type: 'integer' } },
        ];
      },
      { operation: ids.identity, actual: 'query parameter page' },
    ],
    [
      'has a path parameter that is no string',
      (content) => {
        at(content, 'components', 'parameters', 'store')['schema'] = { type: 'integer' };
      },
      { operation: ids.storeConfig, actual: 'of type integer' },
    ],
    [
      'has a path parameter that it does not declare',
      (content) => {
        delete at(content, 'paths', `${sessions}/{sessionId}`, 'get')['parameters'];
      },
      { operation: ids.read, actual: 'not declared' },
    ],
    [
      'offers OAuth at one of the 25',
      (content) => {
        at(content, 'components', 'securitySchemes')['Login'] = { type: 'oauth2', flows: {} };
        at(content, 'paths', identity, 'get')['security'] = [{ ApiKey: [] }, { Login: [] }];
      },
      {
        operation: ids.identity,
        statement: 'The document offers OAuth, which the contract excludes',
        actual: 'Login',
      },
    ],
    [
      'offers OAuth elsewhere',
      (content) => {
        at(content, 'components', 'securitySchemes')['Login'] = {
          type: 'openIdConnect',
          openIdConnectUrl: '/x',
        };
        at(content, 'paths')['/api/v1/me'] = { get: { security: [{ Login: [] }], responses: {} } };
      },
      {
        operation: whole,
        statement: 'The document offers OAuth, which the contract excludes',
        actual: 'GET /api/v1/me by Login',
      },
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
    ).map(
      ([capability, method, path]) =>
        [
          `offers ${capability} at ${path}`,
          (content: Changeable) => {
            at(content, 'paths')[path] = { [method]: { responses: {} } };
          },
          {
            operation: whole,
            statement: `The document offers ${capability}, which the contract excludes`,
            actual: `${method.toUpperCase()} ${path}`,
          },
        ] as const,
    ),
    [
      'describes webhooks',
      (content) => {
        content['webhooks'] = { orderPaid: { post: {} } };
      },
      {
        operation: whole,
        statement: 'The document offers webhook subscriptions, which the contract excludes',
        actual: 'orderPaid',
      },
    ],
    [
      'has a schema that is broken',
      (content) => {
        at(content, 'components', 'schemas')['ApiKeyIdentityResponse'] = { type: 'strng' };
      },
      { operation: whole, statement: 'A schema of the document cannot be used' },
    ],
  ];

  for (const [name, change, ...expected] of forbidden) {
    it(name, () => {
      const found = deviations(change);
      expect(found).toEqual(expected.map((one) => expect.objectContaining(one)));
      for (const { statement, expected: wanted, actual } of found) {
        expect([statement, wanted, actual].every((text) => text !== '' && !text.includes('undefined'))).toBe(
          true,
        );
      }
    });
  }

  it('declares Retry-After, at every operation that refers to the answer', () => {
    const found = deviations((content) => {
      at(content, 'components', 'responses', 'RateLimited')['headers'] = { 'retry-after': { schema: {} } };
    });
    expect(found.map(({ operation }) => operation)).toEqual(contract.operations.map(({ id }) => id));
    expect(new Set(found.map(({ statement }) => statement))).toEqual(
      new Set(['A Retry-After header is declared for 429']),
    );
  });

  it('has 100,000 parameters more, which are one deviation', () => {
    const found = deviations((content) => {
      at(content, 'paths', identity, 'get')['parameters'] = Array.from({ length: 100_000 }, (_, number) => ({
        name: `p${number}`,
        in: 'query',
      }));
    });
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
