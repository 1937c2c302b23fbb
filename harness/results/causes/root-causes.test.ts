import { describe, expect, it } from 'vitest';
import { type ExampleParts, exampleExchange } from '../../checks/example-exchange.ts';
import { anyOperation, noMoments } from '../../evidence/spell-ledger.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { CaseResult, Finding, ShapeEntry } from '../../model/report.ts';
import { caseShowing } from '../results-for-tests.ts';
import { forAWhile } from './cause-fixes.ts';
import { attribute } from './root-causes.ts';

function shows(
  requirement: string,
  operation: string,
  parts: ExampleParts,
  finding: Partial<Finding> = {},
): CaseResult {
  return caseShowing(requirement, { operation, ...parts }, finding);
}

const chunked: ExampleParts = {
  ...{ status: 500, body: '{"message":"no"}', neutral: ['transfer-encoding'] },
  request: { headers: [['transfer-encoding', 'chunked']] },
};
const compressed = { 'content-encoding': 'gzip', 'content-length': '99' };

const nginx =
  '<html>\r\n<head><title>400 Bad Request</title></head>\r\n<body>\r\n<center><h1>400 Bad Request</h1></center>\r\n<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n';
const page = { status: 400, contentType: 'text/html', body: nginx };
const nginxCrash = {
  status: 500,
  contentType: 'text/html',
  body: nginx.replaceAll('400 Bad Request', '500 Internal Server Error'),
};
const malformed = { text: '{', encoding: 'utf-8', bytes: 1, truncated: false, json: 'malformed' } as const;
const jsonErrors: ShapeEntry = {
  operation: 'a',
  status: 404,
  shape: {
    bodies: 9,
    unread: 0,
    cut: false,
    members: [
      { path: '', types: { object: 9 }, seen: 9, of: 9 },
      { path: '/code', types: { string: 9 }, seen: 9, of: 9 },
      { path: '/message', types: { string: 9 }, seen: 9, of: 9 },
      { path: '/hint', types: { string: 1 }, seen: 1, of: 9 },
    ],
  },
};

describe('attribute', () => {
  it('puts causes of valid calls first, and the plainest sighting into the headline', () => {
    const sends = (requirement: string, text: string, json: 'empty' | 'array'): CaseResult =>
      shows(requirement, 'a', {
        ...{ status: 422, body: '{}' },
        request: {
          ...{ method: 'POST', path: '/x?a=1', headers: [['content-type', 'application/json']] },
          body: { text, encoding: 'utf-8', bytes: text.length, truncated: false, json },
        },
      });
    const given = [
      sends('REQUEST-1', '', 'empty'),
      sends('REQUEST-3', '[]', 'array'),
      shows('ERROR-3', 'b', { status: 500 }),
      shows('ERROR-3', 'c', { status: 500 }),
      shows('SURFACE-1', 'd', { status: 500, role: 'control' }),
    ];
    expect(attribute(given).rootCauses.map(({ headline }) => headline.split(' is ')[0])).toEqual([
      'A valid call',
      'A call with several defects (example)',
      'A body ([])',
    ]);
  });

  it('shows what is sent at most operations, in plain ASCII where several values do', () => {
    const crash = (operation: string, slug: string, kind: string): CaseResult =>
      shows(
        'RESOURCE-2',
        operation,
        { status: 500, request: { values: { slug: { value: slug, source: 'generated' } } } },
        { kind: `slug ${kind}` },
      );
    const given = [crash('a', 'x y', 'spaces'), crash('b', 'é', 'a dot'), crash('c', 'a.b', 'a dot')];
    expect(attribute(given).rootCauses.map(({ headline }) => headline)).toEqual([
      expect.stringMatching(/^A slug with a dot \(slug=a\.b\) is answered 500/),
    ]);
  });

  it('takes two kinds of clients that fail alike at one operation for two causes', () => {
    const fails = (operation: string, row: Readonly<Record<string, string>>): CaseResult =>
      shows('CLIENT-1', operation, { status: 500, row });
    const causes = attribute([
      fails('a', { framing: 'chunked' }),
      fails('a', { query: 'format=xml' }),
      fails('b', { query: 'page=-1' }),
    ]).rootCauses;
    expect(causes.map(({ operations }) => operations)).toEqual([['a', 'b'], ['a']]);
  });

  it('names the key that was seen most often at some moments', () => {
    const accepts = (operation: string, description: string): CaseResult =>
      shows('AUTH-3', operation, {
        ...{ status: 200, credential: 'invalid' },
        request: { credential: { kind: 'invalid', description } },
      });
    const given = [
      accepts('a', 'key in the other case'),
      accepts('b', 'unknown key'),
      accepts('c', 'unknown key'),
    ];
    const wavering = ['key in the other case', 'unknown key'].map((key) => ({
      operation: anyOperation,
      key,
    }));
    const { rootCauses } = attribute(given, [], [], { ...noMoments, wavering });
    expect(rootCauses.map(({ headline }) => headline)).toEqual([
      'At some moments, a call with an invalid key (unknown key) is answered 200',
    ]);
  });

  it('lends no level to a should that was answered alike', () => {
    const alike = { status: 200, operation: 'a' } as const;
    const should = shows('REQUEST-2', 'a', alike, { level: 'should', expected: '400' });
    const must = shows('RESOURCE-1', 'a', { ...alike, sentBy: 'area/other' }, { expected: '404' });
    expect(
      attribute([should, must]).rootCauses.map(({ level, requirements }) => [level, requirements]),
    ).toEqual([
      ['must', ['RESOURCE-1']],
      ['should', ['REQUEST-2']],
    ]);
  });

  it('sends nobody to the parser of the service for a crash that a proxy writes', () => {
    const broken = { ...nginxCrash, request: { method: 'POST', body: malformed } } as const;
    const [result] = attribute([shows('REQUEST-2', 'a', broken)], [jsonErrors]).results;
    expect(result?.findings[0]?.fix).toMatch(/^nginx wrote this error page itself: search its error log/);
  });

  it('explains decisions on keys that come and go by keys that are mixed up at once', () => {
    const sometimes = { seen: { times: 1, of: 3 } };
    const company = 'with calls of both keys under way';
    const { rootCauses } = attribute([
      shows('SCOPE-1', 'a', { status: 200 }, sometimes),
      shows('RESOURCE-1', 'b', { status: 403 }, sometimes),
      shows('SCOPE-1', 'c', { status: 200 }),
      shows('AUTH-5', 'd', { status: 200 }, { ...sometimes, company }),
    ]);
    expect(rootCauses.map(({ operations }) => operations)).toEqual([['d', 'a', 'b'], ['c']]);
  });

  it('explains what keys may do at some moments by the identity of another key, whoever asks for it', () => {
    const moment = { deviation: 'of its moment', company: 'at some moments' };
    const keyless = { status: 200, credential: 'none' } as const;
    const { rootCauses } = attribute([
      shows('AUTH-2', 'a', keyless, moment),
      shows('SCOPE-1', 'a', { status: 200, credential: 'unscoped' }),
      shows('SESSION-1', 'a', { status: 403 }),
      shows('AUTH-5', 'b', { status: 200, credential: 'unscoped' }),
      shows('AUTH-3', 'e', { status: 200, credential: 'invalid' }),
      shows('AUTH-2', 'c', keyless),
      shows('SESSION-1', 'd', { status: 403 }),
    ]);
    expect(rootCauses.map(({ operations }) => operations)).toEqual([['b', 'a', 'e'], ['d'], ['c']]);
    expect(rootCauses[0]?.requirements).toContain('AUTH-5');
  });

  it('explains a failure that was seen once by calls that fail alike at some moments, and framework pages alike', () => {
    const moment = { deviation: 'of its moment', company: 'at some moments' };
    const page = '<h1>Whitelabel Error Page</h1>';
    const members = '{"timestamp":"1","status":500,"error":"Internal Server Error","path":"/c"}';
    const crash = { status: 500, body: '{"error":"locked"}' };
    const { rootCauses } = attribute([
      shows('STATUS-1', 'a', crash, moment),
      shows('RESOURCE-1', 'b', crash, { company: 'with accept: text/plain', seen: { times: 1, of: 1 } }),
      shows('RESOURCE-1', 'c', crash, { company: 'with accept: text/plain', seen: { times: 3, of: 3 } }),
      shows('STATUS-1', 'd', { status: 500, body: page, contentType: 'text/html' }, moment),
      shows('STATUS-1', 'e', { status: 500, body: members }, moment),
    ]);
    expect(rootCauses.map(({ operations }) => operations).toSorted()).toEqual([
      ['a', 'b'],
      ['c'],
      ['d', 'e'],
    ]);
  });

  it('makes one root cause of refusals that end in one crash, and leaves other crashes alone', () => {
    const crash = { status: 500, body: '{"error":"went wrong"}' } as const;
    const refusals = (operations: readonly string[]): readonly CaseResult[] => [
      ...operations.map((operation) => shows('RESOURCE-1', operation, crash)),
      shows('REQUEST-1', 'd', crash),
      shows('REQUEST-2', 'e', crash),
      shows('STATUS-1', 'f', { ...crash, body: '{"error":"another"}' }),
    ];
    const { rootCauses } = attribute(refusals(['a', 'b', 'c']));
    expect(rootCauses.map(({ operations }) => operations)).toEqual([['a', 'b', 'c', 'd', 'e'], ['f']]);
    expect(rootCauses[0]?.fix).toContain('is declared last is asked first');
    expect(attribute(refusals(['a', 'b'])).rootCauses.length).toBeGreaterThan(2);
  });

  it('makes one root cause of the crashes of one operation where it must refuse keys, bodies and values', () => {
    const crash = { status: 500, body: '' } as const;
    const refusals = ['AUTH-2', 'REQUEST-1', 'LOGIN-1'].map((requirement) => shows(requirement, 'a', crash));
    const { rootCauses } = attribute(refusals);
    expect(rootCauses.map(({ fix }) => fix)).toEqual([
      expect.stringContaining('every call that it must refuse'),
    ]);
    const other = shows('AUTH-2', 'a', { ...crash, body: '{"error":"another"}' });
    expect(attribute([other, ...refusals.slice(1)]).rootCauses).toHaveLength(2);
  });

  it('explains what a key without the scope may do by the call that grants the scope', () => {
    const { rootCauses } = attribute([
      shows('SCOPE-1', 'a', { status: 200 }),
      shows('SCOPE-1', 'b', { status: 200 }, { company: 'after a call of c', kind: 'granted by a call' }),
    ]);
    expect(rootCauses).toHaveLength(1);
    expect(rootCauses[0]?.fix).toContain('accepted after a call of c');
  });

  it('explains what later calls find changed by the refused call that changed it', () => {
    const refused = exampleExchange({ operation: 'a', status: 403, credential: 'unscoped' });
    const following = (before: Exchange): Partial<Finding> => ({
      steps: [{ ...before, startedAt: '2025-12-31T23:59:59.000Z' }],
    });
    const causes = (before: Exchange): readonly string[] =>
      attribute([
        shows('SESSION-2', 'a', { status: 409 }, following(before)),
        shows('SCOPE-1', 'a', { status: 409, credential: 'unscoped' }, following(before)),
        shows('SESSION-4', 'a', { status: 403, credential: 'unscoped' }),
      ]).rootCauses.map(({ requirements }) => requirements[0] ?? '');
    expect(causes(refused)).toEqual(['SESSION-4']);
    expect(causes(exampleExchange({ operation: 'a', status: 200 }))).toHaveLength(3);
  });

  it('takes an unknown value of a public read for plainer than one with a header beside it', () => {
    const made = { slug: { value: 'x', source: 'generated' } } as const;
    const crash = { status: 500, body: '{"message":"no"}', credential: 'none', values: made } as const;
    const { rootCauses } = attribute([
      shows('CLIENT-2', 'a', { ...crash, label: 'Accept: null' }),
      shows('RESOURCE-1', 'a', { ...crash, row: { slug: 'unknown' } }),
    ]);
    expect(rootCauses.map(({ requirements }) => requirements[0])).toEqual(['RESOURCE-1']);
  });

  it('explains a cancel that fails after a refused one by one that fails without', () => {
    const ended = { status: 409, body: '{"message":"The session has expired."}' };
    const refused = exampleExchange({ operation: 'a', status: 401, credential: 'none' });
    const before: Partial<Finding> = { steps: [{ ...refused, startedAt: '2025-12-31T23:59:59.000Z' }] };
    const causes = (steps: Partial<Finding>): readonly string[] =>
      attribute([
        shows('SESSION-4', 'a', ended, before),
        shows('SESSION-2', 'a', { ...ended, sentBy: 'session/other' }, steps),
      ]).rootCauses.map(({ requirements }) => requirements[0] ?? '');
    expect(causes({})).toEqual(['SESSION-2']);
    expect(causes(before)).toEqual(['SESSION-4']);
  });

  it.each<[string, readonly CaseResult[], string]>([
    [
      'responses that break off',
      [
        shows('RESOURCE-2', 'a', { status: 404, failure: 'reset' }),
        shows('ERROR-1', 'b', { status: 404, failure: 'malformed-response' }),
      ],
      'Send as many bytes as Content-Length says',
    ],
    [
      'text beside JSON',
      ['a', 'b'].map((operation) =>
        shows('SUCCESS-2', operation, { status: 200, body: `<b>Warning</b>: in ${operation}\n{"data":[]}` }),
      ),
      'Write nothing to the response beside its JSON',
    ],
    [
      'compressed responses that break off',
      ['a', 'b'].map((operation) =>
        shows('CLIENT-1', operation, { status: 200, failure: 'reset', headers: compressed }),
      ),
      'Compute Content-Length after compression',
    ],
    [
      'responses that break off, compressed or not',
      [
        shows('CLIENT-1', 'a', { status: 200, failure: 'reset', headers: compressed }),
        shows('ERROR-1', 'b', { status: 404, failure: 'reset' }),
      ],
      'Send as many bytes as Content-Length says',
    ],
    [
      'the body of a 429',
      [shows('ERROR-1', 'a', { status: 429, body: 'no' }), shows('RATE-1', 'b', { status: 429, body: 'no' })],
      '',
    ],
    [
      'calls that come again',
      ['a', 'b'].map((operation) => {
        const request = { method: 'POST' };
        const first = exampleExchange({ operation, status: 200, request, startedAt: '2025' });
        return shows('STATUS-1', operation, { status: 500, request }, { steps: [first] });
      }),
      'Answer 409 to a repeated call',
    ],
    [
      'keys that are mixed up',
      [
        shows('SCOPE-1', 'a', { status: 200, credential: 'unscoped' }),
        shows('SURFACE-1', 'b', { status: 403 }, { deviation: 'for a while' }),
      ],
      'Look for a shared variable',
    ],
    [
      'bodies that go on',
      [
        shows('ERROR-1', 'a', { status: 401, body: '{"error":1}\n{"data":[]}' }),
        shows('RATE-1', 'b', { status: 429, body: '{"error":1}{"data":[]}' }),
      ],
      'Return after writing a response',
    ],
    [
      'errors under another media type',
      ['a', 'b'].map((operation) =>
        shows('ERROR-1', operation, { status: 404 }, { actual: 'JSON under the media type text/plain' }),
      ),
      'Header().Set before WriteHeader',
    ],
    [
      'a host that is not passed on',
      ['a', 'b'].map((operation) => {
        const body = '{"message":"no site at this host"}';
        return shows('SURFACE-1', operation, { status: 404, role: 'control', body });
      }),
      'proxy_set_header Host',
    ],
    [
      'media types',
      [shows('REQUEST-1', 'a', { status: 415 }), shows('ERROR-3', 'b', { status: 415 })],
      'ignore letter case and parameters',
    ],
    [
      'a coding that was not asked for',
      ['a', 'b'].map((operation) =>
        shows(
          'CLIENT-1',
          operation,
          { status: 200 },
          { actual: '200 in the coding gzip, which it does not accept' },
        ),
      ),
      'Compress a response only in a coding that Accept-Encoding allows',
    ],
    [
      'a scope that is not asked for',
      [
        shows('SCOPE-1', 'a', { status: 200, credential: 'unscoped' }),
        shows('SCOPE-1', 'b', { status: 404, credential: 'unscoped' }),
      ],
      '',
    ],
    [
      'error bodies that a server may have written as well',
      [
        shows('ERROR-1', 'a', { status: 404, body: 'no' }),
        shows('ERROR-1', 'a', { status: 404, body: 'no' }, { level: 'should' }),
        shows('CLIENT-2', 'a', { status: 404, body: 'no' }, { level: 'should' }),
      ],
      '',
    ],
    [
      'chunked bodies',
      [
        shows('CLIENT-1', 'a', { ...chunked, row: { framing: ['chunked'] } }),
        shows('REQUEST-2', 'b', { ...chunked, row: { body: 'truncated' } }),
      ],
      '',
    ],
  ])('makes one root cause of %s', (_what, results, fix) => {
    const { rootCauses } = attribute(results);
    expect(rootCauses.map(({ headline }) => headline)).toHaveLength(1);
    expect(rootCauses[0]?.fix).toContain(fix);
  });

  it('looks at the route where other operations accept a key that one refuses', () => {
    const refused = shows('AUTH-4', 'a', { status: 401 });
    const accepted: CaseResult = { ...refused, operation: 'b', outcome: 'pass', findings: [] };
    const fixOf = (results: readonly CaseResult[]): string | undefined =>
      attribute(results).rootCauses[0]?.fix;
    expect(fixOf([refused, accepted])).toContain('compare this route with theirs');
    expect(fixOf([refused])).not.toContain('this route');
  });

  it('finds the exception that is answered as success behind most refusals of an operation', () => {
    const failed = { status: 200, body: '{"result":{"success":false,"code":"UNKNOWN"}}' };
    const [first, ...others] = ['REQUEST-1', 'REQUEST-2', 'LOGIN-1'].map((id) => shows(id, 'a', failed));
    const fixes = (results: readonly (CaseResult | undefined)[]): readonly string[] =>
      attribute(results.filter((one) => one !== undefined)).rootCauses.map(({ fix }) => fix);
    expect(fixes([first, ...others])).toEqual([
      expect.stringContaining('a answers 200 to calls that it refuses ({"result":{"success":false'),
    ]);
    expect(fixes(others).join()).not.toContain('answers 200 to calls');
  });

  it('makes one root cause of a crash that less specific requests meet as well', () => {
    const crash = { status: 500 };
    const values = { slug: { value: 'x', source: 'generated' } } as const;
    const { rootCauses } = attribute([
      shows('STATUS-1', 'a', { ...crash, row: { slug: 'odd' } }),
      shows('ERROR-3', 'a', { ...crash, values, credential: 'none' }),
      shows('RESOURCE-2', 'a', { ...crash, values, row: { slug: 'odd' } }),
      shows('RESOURCE-1', 'a', { ...crash, values, row: { slug: 'unknown' } }),
    ]);
    expect(rootCauses.map(({ requirements }) => requirements)).toEqual([
      ['RESOURCE-1', 'STATUS-1', 'ERROR-3', 'RESOURCE-2'],
    ]);
  });

  it.each([
    ['at another operation', 'b', { status: 500 }],
    ['with another status', 'a', { status: 502 }],
    ['that is a refusal', 'a', { status: 422 }],
  ])('does not explain an undeclared response %s by a crash', (_, operation, answer) => {
    const { rootCauses } = attribute([
      shows('RESOURCE-1', 'a', { status: 500 }),
      shows('STATUS-1', operation, answer),
    ]);
    expect(rootCauses).toHaveLength(2);
  });

  it('makes one root cause of a proxy whose pages show at many operations and by several requirements', () => {
    const results = ['a', 'b', 'c'].flatMap((operation) => [
      shows('ERROR-1', operation, page),
      shows('RESOURCE-2', operation, { ...page, status: 414 }),
      shows('STATUS-1', operation, { ...page, status: 414 }),
    ]);
    const { rootCauses, results: attributed } = attribute(results, [jsonErrors]);
    expect(rootCauses).toHaveLength(1);
    expect(rootCauses[0]).toMatchObject({
      headline: 'nginx answers some requests itself, with its own error page',
      subject: 'in front of the service',
      fix: expect.stringContaining('error_page'),
      operations: ['a', 'b', 'c'],
      answeredBy: {
        name: 'nginx',
        role: 'proxy',
        why: `HTML page "400 Bad Request"; the service's own errors are JSON with code, message`,
      },
    });
    expect(rootCauses[0]?.findings).toHaveLength(9);
    expect(attributed[0]?.findings[0]?.answeredBy?.name).toBe('nginx');
  });

  it('names the status that the usual settings of a proxy leave to it', () => {
    const fixOf = (status: number): string | undefined =>
      attribute([shows('ERROR-1', 'a', { ...page, status })]).rootCauses[0]?.fix;
    expect(fixOf(401)).toContain('Do the same for 401.');
    expect(fixOf(400)).not.toContain('Do the same');
  });

  it('names the firewall in a proxy, and the setting of a server that limits the length of paths', () => {
    const apache =
      '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>403 Forbidden</title>\n</head></html>';
    const { rootCauses } = attribute(
      [
        shows('STATUS-1', 'a', { status: 403, contentType: 'text/html', body: apache }),
        shows('RESOURCE-2', 'b', {
          status: 414,
          body: '{"error":"URI Too Long","code":"FST_ERR_MAX_PARAM_LENGTH","message":"x","statusCode":414}',
        }),
      ],
      [jsonErrors],
    );
    expect(rootCauses.map(({ headline, fix }) => [headline, fix]).sort()).toEqual([
      [
        'A firewall in Apache blocks some requests in front of the service',
        expect.stringContaining('SecRuleRemoveById'),
      ],
      [
        'Fastify refuses path values that are longer than its limit',
        expect.stringContaining('maxParamLength'),
      ],
    ]);
  });

  it('does not attribute what the service itself answers everywhere', () => {
    const fastify = '{"statusCode":404,"error":"Not Found","message":"Route GET:/x not found"}';
    const results = [shows('RESOURCE-1', 'a', { status: 404, body: fastify })];
    const members = ['statusCode', 'error', 'message'].map((name) => ({
      path: `/${name}`,
      types: { string: 1 },
      seen: 1,
      of: 1,
    }));
    const own = {
      ...jsonErrors,
      shape: {
        ...jsonErrors.shape,
        members: [{ path: '', types: { object: 1 }, seen: 1, of: 1 }, ...members],
      },
    };
    expect(attribute(results, [own]).rootCauses[0]?.answeredBy).toBeUndefined();
    expect(attribute(results, [jsonErrors]).rootCauses[0]?.answeredBy?.name).toBe('Fastify');
    const boom = '{"statusCode":500,"error":"Internal Server Error","message":"boom"}';
    const fixBeside = (errors: ShapeEntry): string | undefined =>
      attribute([shows('STATUS-1', 'a', { status: 500, body: boom })], [errors]).rootCauses[0]?.fix;
    expect(fixBeside(own)).not.toContain('Fastify');
    expect(fixBeside(jsonErrors)).toContain(
      ' In Fastify or hapi: answer in the shape of PublicErrorResponse.',
    );
  });

  it('reports an exchange that violates several requirements under the most specific one', () => {
    const exchange = { status: 500, body: 'oops', contentType: 'text/plain' };
    const { results, rootCauses } = attribute([
      shows('STATUS-1', 'a', exchange),
      shows('ERROR-1', 'a', exchange),
      shows('RESOURCE-2', 'a', exchange),
    ]);
    expect(rootCauses.map(({ requirements }) => requirements)).toEqual([
      ['RESOURCE-2', 'STATUS-1', 'ERROR-1'],
    ]);
    expect(results.map(({ findings }) => findings[0]?.alsoViolates)).toEqual([
      undefined,
      undefined,
      ['ERROR-1', 'STATUS-1'],
    ]);
  });

  it('knows neither operation nor the status that a lenient parser led to', () => {
    const { rootCauses } = attribute([
      shows('REQUEST-1', 'a', { status: 200 }),
      shows('REQUEST-1', 'b', { status: 404 }),
      shows('REQUEST-1', 'c', { status: 409 }),
      shows('REQUEST-1', 'd', { status: 500 }),
    ]);
    expect(rootCauses.map(({ operations }) => operations)).toEqual([['a', 'b', 'c'], ['d']]);
  });

  it('tells a service without authentication once, whichever key is accepted', () => {
    const { rootCauses } = attribute(
      [['AUTH-2', 'none'] as const, ['AUTH-3', 'invalid'] as const, ['SCOPE-1', 'unscoped'] as const].map(
        ([requirement, credential]) => shows(requirement, 'a', { status: 200, credential }),
      ),
    );
    expect(rootCauses.map(({ requirements }) => requirements)).toEqual([['AUTH-2', 'AUTH-3', 'SCOPE-1']]);
  });

  it('recognises throttling with another status by its coming and going at several operations', () => {
    const busy = {
      status: 503,
      contentType: 'text/html',
      body: nginx.replaceAll('400 Bad Request', '503 Service'),
    };
    const seen = { times: 2, of: 5 };
    const results = ['a', 'b', 'c'].flatMap((operation) => [
      shows('STATUS-1', operation, busy, { seen }),
      shows('ERROR-1', operation, busy, { seen }),
    ]);
    const { rootCauses } = attribute(results, [jsonErrors]);
    expect(rootCauses.map(({ headline, fix }) => [headline, fix])).toEqual([
      ['nginx throttles with 503 instead of 429', expect.stringContaining('limit_req_status 429')],
    ]);
    const withPage = attribute([...results, shows('ERROR-1', 'd', page)], [jsonErrors]);
    expect(withPage.rootCauses).toHaveLength(1);
    expect(attribute(results.slice(0, 2), [jsonErrors]).rootCauses[0]?.headline).not.toContain('throttles');
  });

  it('recognises a ban by its words to calls without a key and to valid calls for a while', () => {
    const words = { status: 403, body: '{"message":"Blocked"}' };
    const banned = (parts: ExampleParts, company: string): CaseResult =>
      shows('SURFACE-1', 'a', { ...words, ...parts }, { company });
    const keyless = ['a', 'b', 'c'].map((operation) =>
      shows('AUTH-2', operation, { ...words, credential: 'none' }),
    );
    const valid = banned({}, 'with several reads of it under way');
    const headlines = (...results: readonly CaseResult[]): readonly string[] =>
      attribute(results).rootCauses.map(({ headline }) => headline);
    expect(headlines(...keyless, valid)).toEqual(['The service throttles with 403 instead of 429']);
    expect(headlines(...keyless)[0]).not.toContain('throttles');
    const ofOrigin = banned({ neutral: ['origin'] }, 'with origin: null');
    expect(headlines(...keyless, ofOrigin).join()).not.toContain('throttles');
  });

  it('names the setting of the proxy in the headers where a limiter answers in JSON', () => {
    const seen = { times: 2, of: 5 };
    const throttledBehind = (headers: Readonly<Record<string, string>>): readonly string[] => {
      const busy = { status: 503, body: '{"code":"busy","message":"wait"}', headers };
      const results = ['a', 'b', 'c'].map((operation) => shows('STATUS-1', operation, busy, { seen }));
      return attribute(results, [jsonErrors]).rootCauses.map(({ headline, fix }) => `${headline} | ${fix}`);
    };
    const [plain = ''] = throttledBehind({});
    expect(plain).toContain(
      'The service answers 503 for a while: a limit, or something that is unavailable | If a limit answers so, ',
    );
    expect(throttledBehind({ server: 'gunicorn' })).toEqual([plain]);
    expect(throttledBehind({ server: 'nginx/1.22.1' })).toEqual([
      expect.stringContaining(
        `${plain} If nginx throttles (the response has server: nginx/1.22.1): Set \`limit_req_status 429;\``,
      ),
    ]);
  });

  it('recognises a limiter that answers 403 in JSON by valid calls without a key that were refused for a while', () => {
    const refused = { status: 403, body: '{"code":"denied","message":"no"}' };
    const causesOf = (credential: 'none' | 'scoped'): readonly string[] => {
      const results = ['a', 'b', 'c'].map((operation) =>
        shows('SURFACE-1', operation, { ...refused, credential, role: 'control' }, { deviation: forAWhile }),
      );
      const others = [
        shows('AUTH-3', 'd', { ...refused, credential: 'invalid', role: 'probe' }),
        shows('SURFACE-1', 'a', { ...refused, role: 'probe' }, { company: 'with 5 calls under way' }),
      ];
      return attribute([...results, ...others], [jsonErrors]).rootCauses.map(({ headline }) => headline);
    };
    expect(causesOf('none')).toEqual(['The service throttles with 403 instead of 429']);
    expect(causesOf('scoped').join()).not.toContain('throttles');
  });

  it('prints lines that accept and exclude it, and leaves notes out', () => {
    const { rootCauses } = attribute([
      shows('RESOURCE-2', 'a', { status: 500 }, { id: '4f2a91c0', excludable: ['nul', 'control'] }),
      shows('RATE-3', 'a', { status: 429 }, { level: 'info' }),
    ]);
    expect(rootCauses).toHaveLength(1);
    expect(rootCauses[0]?.exclude).toBe(
      'exclude:\n# leaves out all values of these classes; known to fail: example\n  - { class: control, reason: <why the target cannot take these values> }\n  - { class: nul, reason: <why the target cannot take these values> }',
    );
    expect(rootCauses[0]?.accept).toContain(
      'accepted:\n  - finding: 4f2a91c0\n    requirement: RESOURCE-2\n',
    );
  });

  it('makes one root cause of a component of a document, and of one kind of deviation elsewhere', () => {
    const deviation = (operation: string, kind: string, message: string): CaseResult => {
      return shows(
        'SURFACE-2',
        operation,
        { sentBy: 'surface/supplied-document-matches' },
        { kind, message, deviation: kind.startsWith('/paths') ? 'missing-status' : 'other-body' },
      );
    };
    const { rootCauses } = attribute([
      deviation('a', '/components/responses/NotFound/content', 'the body of 404 is a PublicErrorResponse'),
      deviation('b', '/components/responses/NotFound/content', 'the body of 404 is a PublicErrorResponse'),
      deviation('a', '/paths/~1x/get/responses', 'the operation declares 409'),
      deviation('b', '/paths/~1y/get/responses', 'the operation declares 429'),
    ]);
    expect(rootCauses.map(({ subject, findings }) => [subject, findings.length])).toEqual([
      ['OpenAPI document', 2],
      ['OpenAPI document', 2],
    ]);
  });
});
