import { ids } from '../../spec/operation-ids-for-tests.ts';
import type { DocumentDeviation, Members } from '../model/supplied-document.ts';
import { at } from './document-for-tests.ts';
import type { Changeable } from './place.ts';

/** A change of a document. */
export type Change = (content: Changeable) => void;

/** A change that puts a value at a place, or takes away what is there. */
export function put(steps: readonly string[], value?: unknown): Change {
  return (content) => {
    const holder = at(content, ...steps.slice(0, -1));
    if (value === undefined) delete holder[steps.at(-1) ?? ''];
    else holder[steps.at(-1) ?? ''] = value;
  };
}

/** Several changes in turn. */
export function all(...changes: readonly Change[]): Change {
  return (content) => {
    for (const change of changes) change(content);
  };
}

function move(from: readonly string[], to: readonly string[]): Change {
  return (content) => all(put(to, at(content, ...from)), put(from))(content);
}

/** An operation beside the 25. */
function offer(path: string, method = 'post', more: Members = {}): Change {
  const parameters = Array.from(path.matchAll(/\{([^{}]*)\}/g), ([, name]) => {
    return { name, in: 'path', required: true, schema: { type: 'string' } };
  });
  const responses = { '200': { description: 'Done.' } };
  return put(['paths', path], {
    ...(parameters.length > 0 && { parameters }),
    [method]: { ...more, responses },
  });
}

/** A response with a body of JSON, or of another media type. */
export function json(schema: unknown, type = 'application/json'): Changeable {
  return { description: 'An answer.', content: { [type]: { schema } } };
}

/** Places in a document. */
export const places: Readonly<
  Record<'read' | 'create' | 'bootstrap' | 'responses' | 'schemes' | 'schemas' | 'answer', readonly string[]>
> = {
  read: ['paths', '/api/v1/open/identity', 'get'],
  create: ['paths', '/api/v1/open/hosted/checkout/sessions', 'post'],
  bootstrap: ['paths', '/api/v1/bootstrap', 'get'],
  responses: ['components', 'responses'],
  schemes: ['components', 'securitySchemes'],
  schemas: ['components', 'schemas'],
  answer: 'paths /api/v1/open/identity get responses 200 content application/json schema'.split(' '),
};

const { read, create, bootstrap, responses, schemes, schemas, answer } = places;
const [identity = '', sessions = ''] = [read[1], create[1]];
const merchants = '/api/v1/catalog/merchants';
const response = (status: string): readonly string[] => [...read, 'responses', status];
const named = (schema: string): Members => ({ $ref: `#/components/schemas/${schema}` });
const secured = (security: unknown, steps: readonly string[] = read): Change =>
  put([...steps, 'security'], security);

const whole = undefined;
const operation = ids.identity;
const get = `GET ${identity}`;
const authorization = 'Authorization';
const ofError = 'schemas/PublicErrorResponse';

/** One deviation each: the place that its fix names, a word of what to write instead, and what is told of it. */
export const planted: ReadonlyArray<
  readonly [
    name: string,
    change: Change,
    place: string,
    advice: string,
    expected: Partial<Record<keyof DocumentDeviation, unknown>>,
  ]
> = [
  ...['3.0.3', '3.2.0'].map(
    (version) =>
      [
        `is written in OpenAPI ${version}`,
        put(['openapi'], version),
        ...(['/openapi', 'openapi: 3.1.0'] as const),
        { operation: whole, expected: 'openapi: 3.1.x', actual: `openapi: ${version}` },
      ] as const,
  ),
  ['lacks an operation', put(['paths', identity]), '/paths', get, { operation, actual: 'no such operation' }],
  [
    'has another method',
    move(read, ['paths', identity, 'put']),
    ...(['/paths/~1api~1v1~1open~1identity/put', get] as const),
    { operation, expected: get, actual: `PUT ${identity}` },
  ],
  ...['/api/v1/me', '/api/v2/open/identity', '/v1/open/identity'].map(
    (path) =>
      [
        `has an operation at ${path}`,
        move(['paths', identity], ['paths', path]),
        ...([`/paths/${path.replaceAll('/', '~1')}/get`, get] as const),
        { operation, actual: `GET ${path}` },
      ] as const,
  ),
  [
    'has another operationId',
    put([...read, 'operationId'], 'whoAmI'),
    ...(['~1identity/get', `operationId: ${operation}`] as const),
    { operation, expected: operation, actual: 'whoAmI' },
  ],
  [
    'has no operationId',
    put([...read, 'operationId']),
    ...(['~1identity/get', `operationId: ${operation}`] as const),
    { operation, actual: 'no operationId' },
  ],
  [
    'has an operationId twice',
    offer('/api/v1/other', 'get', { operationId: operation }),
    ...(['/paths/~1api~1v1~1other/get/operationId', 'a unique operationId'] as const),
    { operation: whole, actual: `${operation} at ${get} and at GET /api/v1/other` },
  ],
  [
    'has swapped path parameters',
    move(
      ['paths', `${merchants}/{merchantSlug}/products/{productSlug}`],
      ['paths', `${merchants}/{productSlug}/products/{merchantSlug}`],
    ),
    '{productSlug}~1products~1{merchantSlug}',
    `Write the path as ${merchants}/{merchantSlug}/products/{productSlug}`,
    { actual: `${merchants}/{productSlug}/products/{merchantSlug}` },
  ],
  [
    'has a path parameter that is no string',
    put(['components', 'parameters', 'store', 'schema'], { type: 'integer' }),
    ...(['/components/parameters/store', 'type: string'] as const),
    { operation: ids.storeConfig, actual: 'of type integer' },
  ],
  [
    'has a path parameter that it does not declare',
    put(['paths', `${sessions}/{sessionId}`, 'get', 'parameters']),
    ...(['{sessionId}/get', 'name: sessionId, in: path'] as const),
    { operation: ids.read, actual: 'not declared' },
  ],
  ...(['query', 'header'] as const).map(
    (where) =>
      [
        `has a ${where} parameter`,
        put([...read, 'parameters'], [{ name: 'page', in: where, schema: {} }]),
        ...(['~1identity/get/parameters/0', 'Remove these parameters'] as const),
        { operation, actual: `${where} parameter page` },
      ] as const,
  ),
  [
    'asks for credentials in public',
    secured([{ ApiKey: [] }], bootstrap),
    ...(['~1bootstrap/get/security', 'security: []'] as const),
    { statement: 'The public operation requires credentials', actual: 'security by ApiKey' },
  ],
  [
    'asks for none where a key is needed',
    secured([]),
    ...(['~1identity/get/security', authorization] as const),
    { operation, actual: 'no security requirement' },
  ],
  [
    'makes the key optional',
    secured([{}, { ApiKey: [] }]),
    ...(['/security', 'empty alternative'] as const),
    { operation, actual: 'no security requirement' },
  ],
  [
    'uses a scheme that is not defined',
    secured([{ Gone: [] }]),
    ...(['/security', authorization] as const),
    { operation, actual: 'security by Gone (not defined)' },
  ],
  [
    'takes the key in another header',
    all(
      put([...schemes, 'Other'], { type: 'apiKey', in: 'header', name: 'X-Key' }),
      secured([{ Other: [] }]),
    ),
    ...(['/security', `header ${authorization}`] as const),
    { operation, actual: 'security by Other (apiKey in header X-Key)' },
  ],
  ...(
    [
      ['lacks the scope', [], "['catalog:read']", 'no scope'],
      ['has another scope', ['x:write'], "['catalog:read']", 'x:write'],
      ['has a second scope', ['catalog:read', 'x:write'], 'every scope except', 'catalog:read, x:write'],
    ] as const
  ).map(
    ([name, scopes, advice, actual]) =>
      [
        name,
        secured([{ ApiKey: scopes }], create),
        ...(['/security', advice] as const),
        { operation: ids.create, expected: 'catalog:read', actual },
      ] as const,
  ),
  [
    'asks for a scope where none is needed',
    secured([{ ApiKey: ['catalog:read'] }]),
    ...(['/security', 'Remove the scope'] as const),
    { operation, expected: 'no scope', actual: 'catalog:read' },
  ],
  [
    'offers OAuth at one of the 25',
    all(put([...schemes, 'Login'], { type: 'oauth2', flows: {} }), secured([{ ApiKey: [] }, { Login: [] }])),
    ...(['~1identity/get', 'Remove it'] as const),
    { operation, statement: 'The document offers OAuth, which the contract excludes', actual: 'Login' },
  ],
  [
    'offers OAuth elsewhere',
    all(
      put([...schemes, 'Login'], { type: 'openIdConnect', openIdConnectUrl: 'https://shop.example/x' }),
      offer('/api/v1/me', 'get', { security: [{ Login: [] }] }),
    ),
    ...(['~1me/get', 'Remove it'] as const),
    { operation: whole, kind: 'offers-oauth', actual: 'GET /api/v1/me by Login' },
  ],
  ...['400', '401', '403', '404', '409', '429'].map(
    (status) =>
      [
        `lacks ${status}`,
        put(response(status)),
        ...(['~1identity/get/responses', `'${status}'`] as const),
        { operation, statement: `The operation does not declare ${status}`, actual: `no ${status}` },
      ] as const,
  ),
  [
    'declares an error by default only',
    move(response('409'), response('default')),
    ...(['~1identity/get/responses', "'409'"] as const),
    { operation, actual: 'only default, which declares other statuses too' },
  ],
  [
    'lacks 200',
    put(response('200')),
    ...(['/responses', "Declare the response '200'"] as const),
    { operation, actual: 'no 200' },
  ],
  [
    'has 201 in place of 200',
    move(response('200'), response('201')),
    ...(['/responses', "Declare the response '200'"] as const),
    { operation, actual: '201 in place of 200' },
  ],
  ...['204', '422', '500', 'default', '5XX'].map(
    (status) =>
      [
        `has ${status} beside the seven`,
        put(response(status), { description: 'Oh no.' }),
        ...(['/responses', `Remove ${status}`] as const),
        { operation, actual: status },
      ] as const,
  ),
  [
    'has two further statuses',
    all(put(response('500'), { description: 'Oh no.' }), put(response('422'), { description: 'Oh no.' })),
    ...(['/responses', 'Remove 422, 500'] as const),
    { operation, actual: '422, 500' },
  ],
  ...(
    [
      ['another schema', named('OperationResponse'), 'OperationResponse'],
      ['an inline schema', { type: 'object' }, 'an inline schema'],
    ] as const
  ).flatMap(([what, schema, actual]) => [
    [
      `has ${what} of a 200`,
      put(answer, schema),
      ...(['/responses/200', 'schemas/ApiKeyIdentityResponse'] as const),
      { operation, expected: 'ApiKeyIdentityResponse', actual },
    ] as const,
    [
      `has ${what} of an error`,
      put(response('409'), json(schema)),
      ...(['/responses/409', ofError] as const),
      { operation, expected: 'PublicErrorResponse', actual },
    ] as const,
    [
      `has ${what} of a shared error`,
      put([...responses, 'NotFound'], json(schema)),
      ...(['/components/responses/NotFound', ofError] as const),
      { actual },
    ] as const,
  ]),
  [
    'has a shared error without a body',
    put([...responses, 'Conflict'], { description: 'A conflict.' }),
    ...(['/components/responses/Conflict', ofError] as const),
    { actual: 'no JSON body' },
  ],
  [
    'declares Retry-After',
    put([...responses, 'RateLimited', 'headers'], { 'retry-after': { schema: { type: 'integer' } } }),
    ...(['/components/responses/RateLimited', 'Remove the header'] as const),
    { statement: 'A Retry-After header is declared for 429' },
  ],
  [
    'has no request body',
    put([...create, 'requestBody']),
    ...(['~1sessions/post', 'requestBody with required: true'] as const),
    { operation: ids.create, actual: 'no requestBody' },
  ],
  [
    'has an optional request body',
    put([...create, 'requestBody', 'required']),
    ...(['/requestBody', 'required: true'] as const),
    { operation: ids.create, actual: 'an optional requestBody' },
  ],
  [
    'has another schema of a request body',
    put(
      [...create, 'requestBody', 'content', 'application/json', 'schema'],
      named('HostedCheckoutCancelRequest'),
    ),
    ...(['/requestBody', 'schemas/HostedCheckoutCreateRequest'] as const),
    { expected: 'HostedCheckoutCreateRequest', actual: 'HostedCheckoutCancelRequest' },
  ],
  [
    'has a request body where there is none',
    put([...read, 'requestBody'], { content: { 'application/json': {} } }),
    ...(['/requestBody', 'Remove requestBody'] as const),
    { operation, expected: 'no requestBody' },
  ],
  [
    'has callbacks',
    put([...create, 'callbacks'], {
      paid: { '{$request.body#/url}': { post: { responses: { '200': { description: 'ok' } } } } },
    }),
    ...(['/post/callbacks', 'Remove it'] as const),
    { kind: 'offers-webhook-subscriptions' },
  ],
  [
    'has webhooks',
    put(['webhooks'], { orderPaid: { post: { responses: { '200': { description: 'ok' } } } } }),
    ...(['/webhooks', 'Remove it'] as const),
    { operation: whole, kind: 'offers-webhook-subscriptions', actual: 'orderPaid' },
  ],
  ...(
    [
      ['OAuth', 'post', '/oauth/token'],
      ['OAuth', 'post', '/connect/token'],
      ['orders', 'get', '/api/v1/orders/{id}'],
      ['webhook subscriptions', 'post', '/api/v1/events/subscriptions'],
      ['webhook subscriptions', 'post', '/api/v1/webhook_subscriptions'],
      ['webhook subscriptions', 'get', '/api/v1/webhooks'],
      ['payments', 'post', '/api/v1/open/hosted/checkout/sessions/{id}/pay'],
      ['installation writes', 'put', '/api/v1/open/installation/settings'],
      ['bot challenges', 'post', '/api/v1/public/challenge'],
      ['bot challenges', 'post', '/api/v1/recaptcha'],
      ['production activation', 'post', '/api/v1/production/activate'],
    ] as const
  ).map(
    ([capability, method, path]) =>
      [
        `offers ${capability} at ${path}`,
        offer(path, method),
        `/paths/${path.replaceAll('/', '~1')}/${method}`,
        'Remove it from the document',
        {
          operation: whole,
          statement: `The document offers ${capability}, which the contract excludes`,
          actual: `${method.toUpperCase()} ${path}`,
        },
      ] as const,
  ),
  [
    'has a schema that is broken',
    put([...schemas, 'ApiKeyIdentityResponse'], { type: 'strng' }),
    ...(['/paths/~1api~1v1~1open~1identity/get/responses/200', 'Write a valid JSON Schema'] as const),
    { operation: whole, statement: 'A schema of the document cannot be used' },
  ],
  [
    'has a broken reference in a path',
    put(answer, { title: 'ApiKeyIdentityResponse', properties: { a: named('Gone') } }),
    ...(['/paths/~1api~1v1~1open~1identity/get/responses/200', 'references exist'] as const),
    { operation: whole, statement: 'A schema of the document cannot be used' },
  ],
];
