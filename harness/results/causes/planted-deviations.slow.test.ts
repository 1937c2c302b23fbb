import { describe, expect, it } from 'vitest';
import { loadContract } from '../../../spec/contract.ts';
import { loadRequirements } from '../../../spec/requirements.ts';
import { check } from '../../../suites/surface/supplied-document-matches.check.ts';
import type { CaseResult, RootCause } from '../../model/report.ts';
import { at, contractAsDocument } from '../../openapi/document-for-tests.ts';
import { documentFrom } from '../../openapi/load-document.ts';
import type { Changeable } from '../../openapi/place.ts';
import { findingOf, violationsById } from '../finding.ts';
import { resultFor } from '../results-for-tests.ts';
import { attribute } from './root-causes.ts';

const contract = await loadContract();
const requirement = (await loadRequirements()).find(({ id }) => id === 'SURFACE-2');
if (requirement === undefined) throw new Error('SURFACE-2 is a requirement');
const id = 'surface/supplied-document-matches';

type Change = (content: Changeable) => void;

async function rootCausesOf(
  change: Change,
  reword: (message: string) => string = (message) => message,
): Promise<readonly RootCause[]> {
  const content = contractAsDocument();
  change(content);
  const document = await documentFrom(content, 'openapi.yaml', contract);
  const results = contract.operations.flatMap((operation): readonly CaseResult[] => {
    const evaluation = check.evaluate({ operation, exchanges: [], document, steps: {} } as never);
    if (evaluation.outcome !== 'violated') return [];
    const findings = [...violationsById(evaluation.violations, id).values()].map((violation) =>
      findingOf(
        { ...violation, statement: reword(violation.statement) },
        { check: id, requirement: requirement as never, baseUrl: '' },
        { times: 1, of: 1 },
      ),
    );
    return [
      resultFor('fail', 'must', { operation: operation.id, requirement: 'SURFACE-2', check: id, findings }),
    ];
  });
  return attribute(results).rootCauses;
}

const paths = {
  bootstrap: '/api/v1/bootstrap',
  identity: '/api/v1/open/identity',
  product: '/api/v1/catalog/products/{slug}',
  sessions: '/api/v1/open/hosted/checkout/sessions',
  session: '/api/v1/open/hosted/checkout/sessions/{sessionId}',
  merchantProduct: '/api/v1/catalog/merchants/{merchantSlug}/products/{productSlug}',
};

const operation =
  (path: string, method: string, change: Change): Change =>
  (content) =>
    change(at(content, 'paths', path, method));

const identity = (change: Change): Change => operation(paths.identity, 'get', change);
const create = (change: Change): Change => operation(paths.sessions, 'post', change);

const response =
  (name: string, change: Change): Change =>
  (content) =>
    change(at(content, 'components', 'responses', name));

const set =
  (member: string, value: unknown): Change =>
  (target) => {
    target[member] = value;
  };

const remove =
  (member: string): Change =>
  (target) => {
    delete target[member];
  };

const rename =
  (from: string, to: string): Change =>
  (content) => {
    const all = Object.entries(at(content, 'paths'));
    content['paths'] = Object.fromEntries(all.map(([path, item]) => [path === from ? to : path, item]));
  };

const offer =
  (path: string, method = 'post'): Change =>
  (content) => {
    const names = Array.from(path.matchAll(/\{([^{}]*)\}/g), ([, name]) => name);
    at(content, 'paths')[path] = {
      ...(names.length === 0
        ? {}
        : {
            parameters: names.map((name) => ({
              name,
              in: 'path',
              required: true,
              schema: { type: 'string' },
            })),
          }),
      [method]: { responses: { '200': { description: 'Done.' } } },
    };
  };

const status =
  (code: string): Change =>
  (target) => {
    at(target, 'responses')[code] = { description: 'Oh no.' };
  };

const success = (schema: unknown): Change =>
  identity((target) => {
    at(target, 'responses', '200', 'content', 'application/json')['schema'] = schema;
  });

/** One deviation each, the place that its root cause names, and a word of what to write instead. */
const planted: ReadonlyArray<readonly [what: string, change: Change, place: string, advice: string]> = [
  ['OpenAPI 3.0', set('openapi', '3.0.3'), '/openapi', 'openapi: 3.1.0'],
  ['OpenAPI 3.2', set('openapi', '3.2.0'), '/openapi', 'openapi: 3.1.0'],
  [
    'no operation',
    (content) => remove(paths.identity)(at(content, 'paths')),
    '/paths',
    `GET ${paths.identity}`,
  ],
  [
    'another method',
    (content) => {
      const item = at(content, 'paths', paths.identity);
      item['put'] = item['get'];
      delete item['get'];
    },
    '/paths/~1api~1v1~1open~1identity/put',
    `GET ${paths.identity}`,
  ],
  ['another path', rename(paths.identity, '/api/v1/me'), '/paths/~1api~1v1~1me/get', `GET ${paths.identity}`],
  [
    'another version in a path',
    rename(paths.identity, '/api/v2/open/identity'),
    '/paths/~1api~1v2~1open~1identity/get',
    `GET ${paths.identity}`,
  ],
  [
    'another operationId',
    identity(set('operationId', 'whoAmI')),
    '~1identity/get',
    'operationId: getApiKeyIdentity',
  ],
  ['no operationId', identity(remove('operationId')), '~1identity/get', 'operationId: getApiKeyIdentity'],
  [
    'an operationId twice',
    (content) => {
      offer('/api/v1/other', 'get')(content);
      at(content, 'paths', '/api/v1/other', 'get')['operationId'] = 'getApiKeyIdentity';
    },
    '/paths/~1api~1v1~1other/get/operationId',
    'an operationId of its own',
  ],
  [
    'swapped path parameters',
    rename(paths.merchantProduct, '/api/v1/catalog/merchants/{productSlug}/products/{merchantSlug}'),
    '{productSlug}~1products~1{merchantSlug}',
    `Write the path as ${paths.merchantProduct}`,
  ],
  [
    'a path parameter of another type',
    (content) => set('schema', { type: 'integer' })(at(content, 'components', 'parameters', 'store')),
    '/components/parameters/store',
    'type: string',
  ],
  [
    'a path parameter that is not declared',
    operation(paths.session, 'get', remove('parameters')),
    '{sessionId}/get',
    'name: sessionId, in: path',
  ],
  [
    'a query parameter',
    identity(set('parameters', [{ name: 'page', in: 'query', schema: {} }])),
    '~1identity/get/parameters/0',
    'Remove these parameters',
  ],
  [
    'a header parameter',
    identity(set('parameters', [{ name: 'Idempotency-Key', in: 'header', schema: {} }])),
    '~1identity/get/parameters/0',
    'Remove these parameters',
  ],
  [
    'a public read with credentials',
    operation(paths.bootstrap, 'get', set('security', [{ ApiKey: [] }])),
    '~1bootstrap/get/security',
    'security: []',
  ],
  ['no credentials', identity(set('security', [])), '~1identity/get/security', 'Authorization'],
  ['optional credentials', identity(set('security', [{}, { ApiKey: [] }])), '/security', 'empty alternative'],
  ['a scheme that is missing', identity(set('security', [{ Gone: [] }])), '/security', 'Authorization'],
  [
    'a key in another header',
    (content) => {
      at(content, 'components', 'securitySchemes')['Other'] = { type: 'apiKey', in: 'header', name: 'X-Key' };
      identity(set('security', [{ Other: [] }]))(content);
    },
    '/security',
    'header Authorization',
  ],
  ['no scope', create(set('security', [{ ApiKey: [] }])), '/security', "['catalog:read']"],
  ['another scope', create(set('security', [{ ApiKey: ['x:write'] }])), '/security', "['catalog:read']"],
  [
    'a second scope',
    create(set('security', [{ ApiKey: ['catalog:read', 'x:write'] }])),
    '/security',
    'every other scope than catalog:read',
  ],
  [
    'a scope where none is needed',
    identity(set('security', [{ ApiKey: ['catalog:read'] }])),
    '/security',
    'Remove the scope',
  ],
  [
    'OAuth at one of the 25',
    (content) => {
      at(content, 'components', 'securitySchemes')['Login'] = { type: 'oauth2', flows: {} };
      identity(set('security', [{ ApiKey: [] }, { Login: [] }]))(content);
    },
    '~1identity/get',
    'Remove it',
  ],
  ...['400', '401', '403', '404', '409', '429'].map(
    (code) =>
      [
        `no ${code}`,
        identity((target) => remove(code)(at(target, 'responses'))),
        '~1identity/get/responses',
        `'${code}'`,
      ] as const,
  ),
  [
    'no 200',
    identity((target) => remove('200')(at(target, 'responses'))),
    '/responses',
    "Declare the response '200'",
  ],
  [
    '201 in place of 200',
    create((target) => {
      const responses = at(target, 'responses');
      responses['201'] = responses['200'];
      delete responses['200'];
    }),
    '/responses',
    "Declare the response '200'",
  ],
  ['204 beside 200', create(status('204')), '/responses', 'Remove 204'],
  ...['422', '500', 'default', '5XX'].map(
    (code) => [`${code} beside the seven`, identity(status(code)), '/responses', `Remove ${code}`] as const,
  ),
  [
    'another schema of 200',
    success({ $ref: '#/components/schemas/OperationResponse' }),
    '/responses/200',
    'schemas/ApiKeyIdentityResponse',
  ],
  [
    'an inline schema of 200',
    success({ type: 'object' }),
    '/responses/200',
    'schemas/ApiKeyIdentityResponse',
  ],
  [
    'a shared error with another schema',
    response('NotFound', (target) =>
      set('schema', { type: 'object' })(at(target, 'content', 'application/json')),
    ),
    '/components/responses/NotFound',
    'schemas/PublicErrorResponse',
  ],
  [
    'a shared error without a body',
    response('Conflict', remove('content')),
    '/components/responses/Conflict',
    'schemas/PublicErrorResponse',
  ],
  [
    'Retry-After',
    response('RateLimited', set('headers', { 'Retry-After': { schema: { type: 'integer' } } })),
    '/components/responses/RateLimited',
    'Remove the header',
  ],
  ['no request body', create(remove('requestBody')), '~1sessions/post', 'requestBody with required: true'],
  [
    'an optional request body',
    create((target) => remove('required')(at(target, 'requestBody'))),
    '/requestBody',
    'required: true',
  ],
  [
    'another schema of a request body',
    create((target) =>
      set('schema', { $ref: '#/components/schemas/HostedCheckoutCancelRequest' })(
        at(target, 'requestBody', 'content', 'application/json'),
      ),
    ),
    '/requestBody',
    'schemas/HostedCheckoutCreateRequest',
  ],
  [
    'a request body where there is none',
    identity(set('requestBody', { content: { 'application/json': {} } })),
    '/requestBody',
    'Remove requestBody',
  ],
  [
    'callbacks',
    create(
      set('callbacks', {
        paid: { '{$request.body#/url}': { post: { responses: { '200': { description: 'ok' } } } } },
      }),
    ),
    '/post/callbacks',
    'Remove it',
  ],
  [
    'webhooks',
    set('webhooks', { paid: { post: { responses: { '200': { description: 'ok' } } } } }),
    '/webhooks',
    'Remove it',
  ],
  ...[
    '/oauth/token',
    '/connect/token',
    '/api/v1/orders',
    '/api/v1/events/subscriptions',
    '/api/v1/webhook_subscriptions',
    '/api/v1/open/hosted/checkout/sessions/{id}/pay',
    '/api/v1/open/installation/settings',
    '/api/v1/recaptcha',
    '/api/v1/production/activate',
  ].map(
    (path) =>
      [
        `${path} offered`,
        offer(path),
        `/paths/${path.replaceAll('/', '~1')}/post`,
        'Remove it from the document',
      ] as const,
  ),
  [
    'a broken reference in a path, pointers escaped once',
    success({ title: 'ApiKeyIdentityResponse', properties: { a: { $ref: '#/components/schemas/Gone' } } }),
    '/paths/~1api~1v1~1open~1identity/get/responses/200',
    'references of which exist',
  ],
];

describe('a planted deviation', () => {
  it('is planted in at least 40 kinds', () => {
    expect(planted.length).toBeGreaterThanOrEqual(40);
  });

  it.each(planted)(
    '%s is one root cause, at its place, with advice',
    async (_what, change, place, advice) => {
      const causes = await rootCausesOf(change);
      expect(causes.map(({ headline }) => headline)).toHaveLength(1);
      const [cause] = causes;
      expect(cause?.subject).toBe('OpenAPI document');
      expect(cause?.fix).toContain(place);
      expect(cause?.fix).toContain(advice);
      const reworded = await rootCausesOf(change, (message) => `In other words: ${message}`);
      expect(reworded.map(({ id: other }) => other)).toEqual([cause?.id]);
    },
  );

  it.each(['422', '500', 'default', '5XX'])('%s beside the seven is a should', async (code) => {
    const [cause] = await rootCausesOf(identity(status(code)));
    expect(cause?.level).toBe('should');
  });
});

describe('a generated document', () => {
  it('that lacks six error statuses everywhere has one root cause', async () => {
    const causes = await rootCausesOf((content) => {
      for (const item of Object.values(at(content, 'paths')) as readonly Changeable[]) {
        for (const method of Object.keys(item)) {
          if (method === 'parameters') continue;
          for (const code of ['400', '401', '403', '404', '409', '429'])
            remove(code)(at(item, method, 'responses'));
        }
      }
    });
    expect(causes.map(({ headline }) => headline)).toEqual([
      'The operation does not declare some statuses, at 25 places',
    ]);
  });

  it('without PublicErrorResponse has at most five', async () => {
    const causes = await rootCausesOf((content) => {
      remove('PublicErrorResponse')(at(content, 'components', 'schemas'));
    });
    expect(causes.map(({ headline }) => headline)).toEqual([
      'A schema of the document cannot be used, at 6 places',
    ]);
  });
});
