import { describe, expect, it } from 'vitest';
import { type ExampleParts, exampleExchange } from '../../checks/example-exchange.ts';
import type { RecordedRequest } from '../../model/exchange.ts';
import type { CaseResult, Finding, RootCause } from '../../model/report.ts';
import { caseShowing } from '../results-for-tests.ts';
import { attribute } from './root-causes.ts';

function causesOf(...results: readonly CaseResult[]): readonly RootCause[] {
  return attribute(results).rootCauses;
}

function shown(requirement: string, parts: ExampleParts, finding: Partial<Finding> = {}): CaseResult {
  const headline = `The rule of ${requirement} was broken`;
  const expected = /^SU/.test(requirement) ? '200' : '401';
  const isWatched = requirement === 'STATUS-1' && (parts.role === 'control' || parts.role === 'setup');
  return caseShowing(
    requirement,
    { sentBy: `area/${isWatched ? 'probe' : requirement}`, ...parts },
    { headline, expected, fix: 'The usual fix.', ...finding },
  );
}

const text = { contentType: 'text/plain' };
const page = { contentType: 'text/html' };
const id = [['x-request-id', 'run-7']] as const;
const created = exampleExchange({
  ...{ operation: 'create', status: 200, request: { method: 'POST' } },
  startedAt: '2025-12-31T23:59:59.996Z',
});
const body = (given: string): Partial<RecordedRequest> => ({
  method: 'POST',
  headers: [['content-type', 'application/json'], ...id],
  body: { text: given, encoding: 'utf-8', bytes: given.length, truncated: false, json: 'object' },
});

describe('the headline and the fix of a root cause', () => {
  it.each<readonly [string, CaseResult, headline: string, fix: string]>([
    [
      'a redirect of what may be a browser',
      shown('CLIENT-1', { status: 302, label: 'Accept: text/html', row: { accept: ['text/html'] } }),
      'A call with Accept: text/html is answered 302 application/json',
      'tells browsers from other clients',
    ],
    [
      'an empty success for a listed value',
      shown('SUCCESS-1', {
        ...{ status: 204, body: '', role: 'witness', row: { 'listed resource': 'b' } },
        request: { values: { slug: { value: 'b', source: 'generated' } } },
      }),
      'A slug that a listing shows (b) is answered 204 without a body',
      'Answer 200 with a body, even if there is nothing to show',
    ],
    [
      'a cancelled session that refuses to be read',
      shown('SESSION-2', { status: 410, label: 'read A', request: { method: 'GET' } }),
      'The rule of SESSION-2 was broken: the call “read A” is answered 410 application/json',
      'the call “read A” is refused',
    ],
    [
      'a crash',
      shown('CLIENT-1', {
        status: 500,
        ...text,
        body: 'KeyError: page\n  at line 3',
        label: 'query page=%zz',
        request: { path: '/x?page=%zz', headers: id },
      }),
      'A query that cannot be decoded (page=%zz) is answered 500 text/plain: “KeyError: page”',
      'Search the service log (request run-7) for the unhandled exception that a query that cannot be decoded (page=%zz) causes.',
    ],
    [
      'a crash by its own id, in a framework',
      shown('STATUS-1', {
        status: 500,
        body: '{"statusCode":500,"message":"Internal server error"}',
        headers: { 'request-id': 'own-1' },
        request: body('{"a":null}'),
      }),
      'A body ({"a":null}) is answered 500 application/json: “Internal server error”',
      'Search the service log (request own-1)',
    ],
    [
      'a session that was created just before',
      shown(
        'SURFACE-1',
        {
          status: 404,
          body: '{"problem":{"reason":"not_found","text":"Session does not exist"}}',
          role: 'control',
        },
        { steps: [created] },
      ),
      'A valid call is answered 404 application/json: “Session does not exist”',
      'create issued the value in this call 3 ms earlier, but the service does not find it: check how its expiry',
    ],
    [
      'a crash of what a listing names',
      shown('SURFACE-1', {
        status: 500,
        body: '{}',
        label: 'a resource of the listing',
        request: { values: { slug: { value: 'ash-vase', source: 'generated' } }, headers: id },
      }),
      'A valid call (slug=ash-vase) is answered 500 application/json',
      'the unhandled exception that a valid call (slug=ash-vase) causes',
    ],
    [
      'a valid call that is refused with words in a nested body',
      shown('SURFACE-1', {
        status: 400,
        body: '{"fault":{"detail":"Client version is required"}}',
        role: 'control',
      }),
      'A valid call is answered 400 application/json: “Client version is required”',
      'The service refuses the valid call (“Client version is required”): correct the values',
    ],
    [
      'a valid call that is accepted with a header',
      shown(
        'SURFACE-1',
        { status: 400, body: '{}', role: 'control' },
        { kind: 'header x-client', fix: 'Make the header x-client optional.' },
      ),
      'A valid call is answered 400 application/json',
      'Make the header x-client optional.',
    ],
    [
      'a valid call that finds nothing, where nothing was created',
      shown('SURFACE-1', { status: 404, body: '{}', role: 'control' }),
      'A valid call is answered 404 application/json',
      'The usual fix.',
    ],
    [
      'a crash that comes and goes',
      shown(
        'SURFACE-1',
        { status: 500, ...text, body: 'UNIQUE constraint failed', role: 'control' },
        { seen: { times: 2, of: 9 } },
      ),
      'A valid call is answered 500 text/plain: “UNIQUE constraint failed”',
      'in 2 of 9 tries, so the call alone is not the cause',
    ],
    [
      'a property of every object',
      shown(
        'SUCCESS-2',
        {
          status: 200,
          ...text,
          body: 'function Object() { [native code] }',
          request: { values: { store: { value: 'constructor', source: 'generated' } } },
        },
        { actual: 'a body that is not JSON' },
      ),
      'A store that is a property of every object (store=constructor) is answered 200 with a body that is not JSON',
      'Look up values in a Map, or with Object.hasOwn',
    ],
    [
      'a value that is decoded twice',
      shown('RESOURCE-1', {
        status: 200,
        body: '{}',
        request: { values: { slug: { value: 'linen%252Dshirt', source: 'generated' } } },
      }),
      'The rule of RESOURCE-1 was broken (linen%252Dshirt)',
      'Look for code that decodes it twice',
    ],
    [
      'a crowd',
      shown(
        'SURFACE-1',
        { status: 500, ...text, body: 'pool exhausted' },
        { company: 'with 8 calls of the operation under way' },
      ),
      'With 8 calls of the operation under way, a valid call is answered 500 text/plain: “pool exhausted”',
      'The call failed with 8 calls of the operation under way, and was answered alone',
    ],
    [
      'an accepted call on a reused connection',
      shown(
        'AUTH-2',
        { status: 200, credential: 'none' },
        { company: 'on a connection that carried a call with a good key' },
      ),
      'On a connection that carried a call with a good key, a call without a key is answered 200',
      'Keep no state of a request after its response',
    ],
    [
      'chunks',
      shown('CLIENT-1', {
        status: 400,
        body: '{"error":{"message":"A body is required."}}',
        request: { ...body('{}'), headers: [['transfer-encoding', 'chunked']] },
      }),
      'A body in chunks is answered 400 application/json: “A body is required.”',
      'Read bodies with Transfer-Encoding: chunked',
    ],
    [
      'a chunked body without chunks',
      shown('REQUEST-1', {
        status: 422,
        body: '{"error":"Field required"}',
        request: { method: 'POST', headers: [['transfer-encoding', 'chunked']] },
      }),
      'A chunked body without any chunk is answered 422 application/json: “Field required”',
      'Answer 400 to an invalid body or value',
    ],
    [
      'a page of which the check tells that it was asked for as such',
      shown(
        'ERROR-1',
        { status: 404, body: '<html><title>Not Found</title></html>', contentType: 'text/html' },
        { company: 'with accept: text/html', headline: 'An error has no JSON' },
      ),
      'An error has no JSON: with accept: text/html, a call is answered 404 text/html: “Not Found”',
      'Write every error as JSON, whatever the client sends: with accept: text/html',
    ],
    [
      'a guard that refuses forms',
      shown('REQUEST-2', {
        status: 403,
        body: '{"message":"Forbidden"}',
        request: { ...body('a=b'), headers: [['content-type', 'multipart/form-data']] },
      }),
      'A body under multipart/form-data is answered 403 application/json: “Forbidden”',
      'CSRF protection of forms',
    ],
    [
      'a cancel that is at times carried out twice',
      shown(
        'SESSION-2',
        { status: 409, body: '{"message":"It is not open."}', label: 'cancel A', request: body('{}') },
        { seen: { times: 2, of: 3 } },
      ),
      'The rule of SESSION-2 was broken: the call “cancel A” is answered 409 application/json: “It is not open.”',
      'the call “cancel A” is answered 409 in 2 of 3 tries',
    ],
    [
      'an offer to change the protocol',
      shown('CLIENT-1', {
        status: 400,
        body: '{}',
        label: 'an offer to go on in HTTP/2 (Upgrade: h2c)',
        request: body('{}'),
        row: { wire: ['offer of HTTP/2'] },
      }),
      'A call with an offer to go on in HTTP/2 (Upgrade: h2c) is answered 400 application/json',
      'Ignore an offer to change the protocol',
    ],
    [
      'fields in the query',
      shown(
        'REQUEST-1',
        { status: 200, request: { method: 'POST', path: '/x?state=secret' } },
        { actual: '200' },
      ),
      'A call without its body, whose fields are in the query, is answered 200',
      'Rails: `request.request_parameters`',
    ],
    [
      'a 403 of a framework in place of a 401',
      shown('AUTH-2', {
        status: 403,
        credential: 'none',
        body: '{"detail":"Authentication credentials were not provided."}',
      }),
      'A call without a key is answered 403 application/json: “Authentication credentials were not provided.”',
      'In Django REST framework: return a scheme from `authenticate_header`',
    ],
    [
      'a route that is missing, behind the page of a framework',
      shown('SURFACE-1', {
        role: 'control',
        status: 404,
        ...page,
        body: '<!DOCTYPE html>\n<html><head><title>Error</title></head><body><pre>Cannot GET /x</pre></body></html>',
      }),
      'A valid call is answered 404 text/html: “Cannot GET /x”',
      'The router does not know this route',
    ],
    [
      'a slash at the end',
      shown('SUCCESS-1', {
        role: 'control',
        status: 301,
        ...page,
        body: '',
        headers: { location: '/example/' },
      }),
      'A valid call is answered 301 without a body to /example/',
      'Django: declare the routes without the slash, and set `APPEND_SLASH = False`',
    ],
    [
      'a login page',
      shown('AUTH-2', {
        status: 302,
        credential: 'none',
        body: '',
        headers: { location: '/login?next=/example' },
      }),
      'A call without a key is answered 302 without a body to /login?next=/example',
      'Answer 401 instead of redirecting to a login page',
    ],
    [
      'the validator of a framework',
      shown('REQUEST-2', {
        status: 422,
        label: 'x',
        body: '{"detail":[{"loc":["body"],"msg":"JSON decode error"}]}',
        request: {
          ...body('{'),
          body: { ...body('{').body, json: 'malformed' } as RecordedRequest['body'] & object,
        },
      }),
      'A body that is not JSON ({) is answered 422 application/json: “JSON decode error”',
      'In FastAPI: an `exception_handler(RequestValidationError)`',
    ],
    [
      'a body that only a charset spoils',
      shown('STATUS-1', {
        status: 415,
        body: '{"statusCode":415,"message":"unsupported charset \\"UTF8\\""}',
        request: { ...body('{}'), headers: [['content-type', 'application/json; charset=UTF8']] },
      }),
      'A body under application/json; charset=UTF8 is answered 415 application/json: “unsupported charset "UTF8"”',
      'In NestJS: `@Catch()` without a class in the global filter',
    ],
    [
      'a parameter that is given twice',
      shown('CLIENT-1', {
        status: 500,
        ...text,
        body: 'q.trim is not a function',
        label: 'query q=a&q=b',
        request: { path: '/x?q=a&q=b' },
      }),
      'A query that gives a parameter twice (q=a&q=b) is answered 500 text/plain: “q.trim is not a function”',
      'many frameworks turn it into a list',
    ],
    [
      'a length in characters',
      shown(
        'SUCCESS-2',
        { status: 200, body: '{"name":"Café', headers: { 'content-length': '14' } },
        { actual: 'a body that is not JSON' },
      ),
      'JSON with characters outside ASCII is cut off where its Content-Length ends',
      'Count the bytes of the body for Content-Length, not its characters',
    ],
    [
      'a body that is cut off for another reason',
      shown(
        'SUCCESS-2',
        { status: 200, body: '{"name":"Cafe', headers: { 'content-length': '13' } },
        { actual: 'a body that is not JSON' },
      ),
      'JSON is cut off before its end',
      'Look for a buffer limit',
    ],
    [
      'a key that is refused now and then',
      shown('AUTH-4', { status: 401, body: '{"message":"Unknown key."}' }, { seen: { times: 1, of: 3 } }),
      'A valid call is answered 401 application/json: “Unknown key.”',
      'the same key was refused in 1 of 3 tries',
    ],
    [
      'a key without the scope that is let through now and then',
      shown('SCOPE-1', { status: 200, credential: 'unscoped' }, { actual: '200', seen: { times: 1, of: 3 } }),
      'The rule of SCOPE-1 was broken',
      'the same call was accepted in 1 of 3 tries',
    ],
    [
      'a lockout by its own words',
      shown(
        'SURFACE-1',
        { status: 401, role: 'control', body: '{"message":"Too many failed attempts."}' },
        { company: 'with several reads of it under way' },
      ),
      'A valid call is answered 401 application/json: “Too many failed attempts.”',
      'locks clients out after failed attempts',
    ],
    [
      'a validator with errors of its own',
      shown(
        'ERROR-2',
        {
          status: 400,
          body: '{"reason":["This field is required."]}',
          label: 'an empty object',
          request: body('{}'),
        },
        { actual: 'reason in a 400' },
      ),
      'The rule of ERROR-2 was broken: a body ({}) is answered with reason in a 400',
      'including those of the body parser and validator',
    ],
    [
      'no answer in time',
      shown('RESOURCE-2', { failure: 'timeout', request: { headers: id } }),
      'A call (example) gets no answer (timeout)',
      'Find out where the service hangs on',
    ],
    [
      'a path value',
      shown(
        'RESOURCE-2',
        { status: 405, ...text, body: 'no', values: { slug: { value: '%00', source: 'generated' } } },
        { kind: 'slug NUL' },
      ),
      'A slug with NUL (slug=%00) is answered 405 text/plain: “no”',
      'Answer 404 instead of 405.',
    ],
    [
      'a body that is deep',
      shown('STATUS-1', {
        status: 500,
        ...text,
        body: 'no',
        role: 'reduction',
        row: { body: 'random' },
        request: body(`{"a":"]","b":${'['.repeat(99)}${']'.repeat(99)}}`),
      }),
      'A body (JSON of 100 levels) is answered 500 text/plain: “no”',
      'Answer 400 to a body that is nested too deeply',
    ],
    [
      'a body that is long',
      shown('STATUS-1', { status: 413, ...text, body: 'no', request: body('{"a":1}') }),
      'A body (7 bytes) is answered 413 text/plain: “no”',
      'Raise the body size limit',
    ],
    [
      'accents',
      shown('CLIENT-1', { status: 500, ...text, body: 'no', label: 'accents and an emoji in the body' }),
      'A call with accents and an emoji in the body is answered 500 text/plain: “no”',
      'Count and truncate by characters, not bytes',
    ],
    [
      'a call of a sequence that nobody looked into',
      shown('STATUS-1', {
        status: 500,
        ...text,
        body: 'no',
        label: 'cancel A at the same time',
        row: { sequence: 'create A, cancel A, cancel A at the same time', walk: '1' },
        request: body('{}'),
      }),
      'A call (cancel A at the same time) is answered 500 text/plain: “no”',
      'wait for the other',
    ],
    [
      'two calls at once on a session',
      shown(
        'SESSION-2',
        { status: 500, ...text, body: 'no', label: 'cancel A' },
        { company: 'with the call “cancel A” under way' },
      ),
      'With the call “cancel A” under way, the call “cancel A” is answered 500 text/plain: “no”',
      'wait for the other',
    ],
    [
      'a key that the seed chose among those of one label',
      shown('STATUS-1', { status: 500, ...text, body: 'no', label: 'a key', credential: 'invalid' }),
      'A call with an invalid key (invalid) is answered 500 text/plain: “no”',
      'last error handler',
    ],
    [
      'a part of what a wrong key gets',
      shown('AUTH-3', {
        status: 206,
        label: 'unknown key',
        row: { credential: 'unknown key' },
        credential: 'invalid',
      }),
      'The rule of AUTH-3 was broken (unknown key)',
      'The usual fix.',
    ],
  ])('of %s', (_what, result, headline, fix) => {
    const [cause, ...others] = causesOf(result);
    expect(others).toEqual([]);
    expect(cause?.headline).toBe(headline);
    expect(cause?.fix).toContain(fix);
    expect(cause?.fix).not.toContain('map each to the declared status');
  });

  it('escapes what a target sends, and cuts it', () => {
    const sent = `\u202e${'x'.repeat(500)}`;
    const [cause] = causesOf(shown('STATUS-1', { status: 500, ...text, body: sent }));
    expect(cause?.headline).toContain('“\\u{202e}xxx');
    expect(cause?.headline.length).toBeLessThan(200);
  });

  it('names two kinds of calls and counts the others', () => {
    const crash = (value: string, kind: string): CaseResult =>
      shown(
        'RESOURCE-2',
        { status: 500, ...text, body: 'no', values: { slug: { value, source: 'generated' } } },
        { kind },
      );
    expect(causesOf(crash('%00', 'slug NUL'), crash('%27', 'slug a quote'))).toMatchObject([
      { headline: expect.stringMatching(/^A slug with NUL .*; a slug with .* fails as well$/) },
    ]);
  });

  it('gives a 429 page of nginx the setting for 429', () => {
    const nginx =
      '<html><head><title>429 Too Many Requests</title></head><body><hr><center>nginx/1.22.1</center></body></html>';
    const [cause] = causesOf(shown('RATE-1', { status: 429, ...page, body: nginx }));
    expect(cause?.headline).toBe('nginx answers 429 with its own error page');
    expect(cause?.fix).toContain('`error_page 429 /throttled;`');
    expect(cause?.fix).not.toContain('error_page 400');
  });
});

describe('a call that comes again', () => {
  const crash = { status: 500, ...text, body: 'oops' };
  /** The only cause where a call got one response, and the same call got another one after it. */
  const causeOf = (
    requirement: string,
    status: number,
    again: ExampleParts,
    { earlier = {}, ...finding }: Partial<Finding> & { readonly earlier?: Partial<RecordedRequest> } = {},
  ): RootCause | undefined => {
    const sent = { label: 'consume once more', request: body('{"state":"s"}'), ...again };
    const { status: _status, failure: _failure, ...call } = sent;
    const before = exampleExchange({
      ...call,
      status,
      startedAt: '2025',
      request: { ...sent.request, ...earlier },
    });
    return causesOf(shown(requirement, sent, { steps: [before, exampleExchange(sent)], ...finding }))[0];
  };

  it.each<readonly [string, ...Parameters<typeof causeOf>, headline: string, fix: string]>([
    [
      'is named with what it was answered before, where it crashes',
      ...(['LOGIN-2', 200, { ...crash, body: 'UNIQUE' }, {}] as const),
      'A call that was answered 200 before (consume once more) is answered 500 text/plain: “UNIQUE”',
      'a unique key that is inserted twice',
    ],
    [
      'is named as what leaves something behind, where it hangs',
      ...(['SESSION-2', 409, { failure: 'timeout' }, {}] as const),
      'A call that was answered 409 before (consume once more) gets no answer (timeout)',
      'even with an error',
    ],
    [
      'is named as a refusal that was carried out, where an equal call finds its effect',
      ...(['SCOPE-1', 403, { status: 404, body: '{"message":"Gone"}', credential: 'unscoped' }, {}] as const),
      'A call that was answered 403 before (consume once more) is answered 404 application/json: “Gone”',
      'Check key and scope before the handler acts',
    ],
    [
      'explains nothing where the crash comes and goes',
      ...(['LOGIN-2', 200, crash, { seen: { times: 1, of: 3 } }] as const),
      'The call “consume once more” is answered 500 text/plain: “oops”',
      'in 1 of 3 tries',
    ],
    [
      'explains nothing where the later call has another header',
      'CLIENT-1',
      200,
      {
        ...{ ...crash, label: 'X-Request-Id: a-long-id', row: { 'x-request-id': 'long' } },
        request: { ...body('{"state":"s"}'), headers: [['x-request-id', 'a-long-id']] },
      },
      { earlier: { headers: [] } },
      'A call with X-Request-Id: a-long-id is answered 500 text/plain: “oops”',
      '',
    ],
    [
      'explains nothing where it crashed before as well',
      ...(['LOGIN-2', 500, crash, {}] as const),
      'The call “consume once more” is answered 500 text/plain: “oops”',
      '',
    ],
  ])('%s', (_what, requirement, status, again, finding, headline, fix) => {
    const cause = causeOf(requirement, status, again, finding);
    expect(cause?.headline).toBe(headline);
    expect(cause?.fix).toContain(fix);
  });
});

describe('a valid call that fails', () => {
  const crash = { status: 500, ...text, body: 'oops' };
  const row = { body: 'b' };
  const valid = (finding: Partial<Finding> = {}, requirement = 'SURFACE-1'): CaseResult =>
    shown(requirement, { ...crash, role: 'control' }, finding);
  const exotic = (parts: ExampleParts = {}, requirement = 'STATUS-1'): CaseResult =>
    shown(requirement, { ...crash, row, request: body('{"b":1}'), ...parts });

  it('is the only root cause, whatever else gets the same response', () => {
    expect(causesOf(exotic(), valid())).toMatchObject([
      {
        headline: 'A valid call is answered 500 text/plain: “oops”',
        requirements: ['SURFACE-1', 'STATUS-1'],
      },
    ]);
  });

  it('explains other calls to what is not available', () => {
    const gone = { status: 503, ...text, body: 'busy' };
    const causes = causesOf(exotic(gone), shown('STATUS-1', { ...gone, role: 'setup' }));
    expect(causes).toMatchObject([
      {
        headline: 'A valid call is answered 503 text/plain: “busy”',
        fix: expect.stringContaining('calls acquire and do not release'),
      },
    ]);
  });

  it.each<readonly [string, CaseResult, CaseResult]>([
    ['that crashes by what STATUS-1 alone says', valid({}, 'STATUS-1'), exotic({}, 'CLIENT-1')],
    ['that comes and goes', valid({ seen: { times: 1, of: 3 } }), exotic()],
    ['with another status', valid(), exotic({ status: 502 })],
    [
      'with a 200 that should have been a refusal',
      shown('SUCCESS-2', { role: 'control', status: 200, body: 'NaN' }),
      shown('AUTH-3', { status: 200, body: 'NaN', credential: 'invalid' }),
    ],
    ['beside a stack trace', valid(), exotic({}, 'HYGIENE-1')],
    [
      'only in company',
      shown('SURFACE-1', crash, { company: 'with 8 calls of the operation under way' }),
      exotic(),
    ],
  ])('explains nothing %s', (_what, ...results) => {
    expect(causesOf(...results)).toHaveLength(2);
  });
});

describe('one fix is one root cause', () => {
  it('where no body is accepted, nor one under another media type', () => {
    const missing = shown('REQUEST-1', { status: 200, request: { method: 'POST' } });
    const under = (type: string, text: string): CaseResult =>
      shown('REQUEST-2', { status: 200, request: { ...body(text), headers: [['content-type', type]] } });
    expect(causesOf(missing, under('application/xml', '<a/>'))).toMatchObject([
      { requirements: ['REQUEST-1', 'REQUEST-2'] },
    ]);
    expect(causesOf(missing, under('application/json', '{"a"'))).toHaveLength(2);
  });

  it.each([
    [1, 409, 'key in lower case', 'a'],
    [1, 403, 'key in lower case', 'a'],
    [1, 409, 'key cut', 'b'],
    [2, 409, 'key in lower case', 'b'],
    [2, 403, 'key cut', 'b'],
  ])(
    'or %i, where an invalid key is let through and a call gets %i with %s at %s',
    (count, status, label, operation) => {
      const accepted = { status: 200, credential: 'invalid', label: 'key cut' } as const;
      const later = shown('AUTH-3', { ...accepted, status, label, operation });
      expect(causesOf(shown('AUTH-3', accepted), later)).toHaveLength(count);
    },
  );

  it('where a key in the other case is taken for a good one, and the good one for a bad one', () => {
    const spelling = { label: 'key in the other case', row: { credential: 'key in the other case' } };
    const [cause, ...others] = causesOf(
      shown('AUTH-4', { status: 401 }, { deviation: 'for a while' }),
      shown('AUTH-3', { status: 200, credential: 'invalid', ...spelling }),
    );
    expect(others).toEqual([]);
    expect(cause?.headline).toBe('The rule of AUTH-3 was broken (key in the other case)');
    expect(cause?.fix).toContain('Compare keys exactly, letter case included');
    const refused = causesOf(shown('AUTH-4', { status: 401 }, { deviation: 'for a while' }));
    expect(refused[0]?.headline).toContain('is answered 401');
  });

  it('where a call of a sequence lacks the scope, and goes on as it does alone', () => {
    const alone = shown('SCOPE-1', { status: 404, credential: 'unscoped' });
    const sequence = (credential: 'scoped' | 'unscoped'): CaseResult =>
      shown('SESSION-2', { status: 404, credential });
    expect(causesOf(alone, sequence('unscoped'))).toMatchObject([{ requirements: ['SCOPE-1', 'SESSION-2'] }]);
    expect(causesOf(alone, sequence('scoped'))).toHaveLength(2);
  });
});

it.each([
  [
    'several riders are no cause',
    ['content-type', 'transfer-encoding'],
    500,
    'A call with an invalid key (invalid)',
  ],
  ['but of their own refusal', ['content-type', 'transfer-encoding'], 415, 'A body under text/plain'],
  ['a single rider may be the cause', ['transfer-encoding'], 500, 'A body in chunks'],
])('%s: %j', (_what, neutral, status, headline) => {
  const headers = [
    ['content-type', 'text/plain'],
    ['transfer-encoding', 'chunked'],
  ] as const;
  const sent = { role: 'probe', credential: 'invalid', label: 'a bad key' } as const;
  const request = { ...body('{}'), method: 'GET', headers } as const;
  const [cause] = causesOf(shown('STATUS-1', { ...sent, status, neutral, request }));
  expect(cause?.headline).toContain(headline);
});
