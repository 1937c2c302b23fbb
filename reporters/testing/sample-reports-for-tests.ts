import { exampleBody } from '../../harness/checks/example-exchange.ts';
import type { Exchange, RecordedBody } from '../../harness/model/exchange.ts';
import type { CaseResult, CoverageEntry, Finding, Report } from '../../harness/model/report.ts';
import { causesOf, decide, summarise } from '../../harness/results/verdict.ts';
import {
  inapplicableCase,
  openCase,
  passedCases,
  sampleExchange,
  sampleOperations,
  violatedCase,
} from './sample-cases-for-tests.ts';

const statuses = [200, 400, 401, 403, 404, 409, 429] as const;

const coverage: readonly CoverageEntry[] = sampleOperations.flatMap(({ id: operation }) =>
  statuses.map((status) =>
    status === 409 || status === 429
      ? { operation, status, observed: 0, reason: 'nobody can force it' }
      : { operation, status, observed: 4, reason: null },
  ),
);

/** A report of the given cases whose summary, verdict and reasons follow from them, with the given differences. */
export function sampleReport(results: readonly CaseResult[], change: Partial<Report> = {}): Report {
  return {
    schemaVersion: '1.1',
    ...decide(results, { interrupted: false, filtered: false }),
    harness: { name: 'commerce-conformance', version: '0.1.0' },
    contract: { digest: `sha256:${'0123456789abcdef'.repeat(4)}` },
    target: { baseUrl: 'https://staging.example.com/gateway', embedded: false, discovered: [] },
    run: {
      startedAt: '2026-08-01T10:00:00.000Z',
      durationMs: 3214.5,
      seed: 7,
      options: { seed: 7, maxRequests: 2000 },
      interrupted: false,
    },
    operations: sampleOperations,
    results,
    summary: summarise(results),
    coverage,
    traffic: {
      requests: 1204,
      byStatus: { '200': 700, '401': 252, '404': 240, '429': 12 },
      throttled: 12,
      latencyMs: { p50: 2.4, p95: 11.8, p99: 30.25 },
      timeline: {
        bucketMs: 250,
        buckets: [90, 102, 0, 84, 131, 160, 144, 98, 99, 101, 95, 71, 29].map((requests, index) => ({
          requests,
          throttled: index === 5 ? 12 : 0,
          unanswered: 0,
          meanMs: 2 + index / 4,
          maxMs: 12,
        })),
      },
    },
    causes: causesOf(results),
    ...change,
  };
}

const unknownKey = 'auth/invalid-key-is-refused';
const keyed = sampleOperations.filter(({ path }) => path.startsWith('/api/v1/open/')).map(({ id }) => id);
const hosted = keyed.slice(2, 7);

/** A case whose error body is not that of the contract. */
function wrongErrorBody(operation: string, finding: Partial<Finding> = {}): CaseResult {
  const usual = {
    headline: 'An error response has no PublicErrorResponse body',
    message: 'every error has a PublicErrorResponse body',
    expected: 'a JSON object with media type application/json',
    actual: 'text/html; charset=utf-8, starting with <html><head><title>400 Bad Request</title>',
    contract: 'Errors',
  };
  return violatedCase(operation, 'error/body-is-json', { requirement: 'ERROR-1' }, { ...usual, ...finding });
}

/** A case that a weaker requirement only warns of, or notes. */
function weaklyViolated(
  operation: string,
  check: string,
  requirement: string,
  level: 'should' | 'info',
  finding: Partial<Finding>,
): CaseResult {
  const outcome = level === 'should' ? 'warn' : 'pass';
  return violatedCase(operation, check, { requirement, level, outcome }, { level, ...finding });
}

/** Everything holds, on the embedded service. */
export const allGreen: Report = sampleReport(
  [...passedCases, inapplicableCase('getPublicBootstrap', 'success/body-matches-schema')],
  {
    target: {
      baseUrl: 'http://127.0.0.1:40121',
      embedded: true,
      discovered: [{ name: 'slug', value: 'linen-shirt', from: 'listPublicProducts' }],
      excluded: [{ class: 'very-long', parameter: 'slug', reason: 'the gateway cuts long paths' }],
    },
  },
);

/** One operation fails one requirement, one warns, one is noted. */
export const oneFailure: Report = sampleReport([
  ...passedCases,
  violatedCase('createHostedCheckoutSession', unknownKey),
  weaklyViolated(
    'getPublicStoreSecurityConfig',
    'resource/unknown-store-is-not-found',
    'RESOURCE-1',
    'should',
    {
      headline: 'A setting below an unknown store was not answered with 404',
      message: 'settings below an unknown store are not found',
      expected: '404',
      contract: 'Errors, 404',
      seen: { times: 1, of: 40 },
      reproduction:
        "curl 'https://staging.example.com/gateway/api/v1/public/store-access/no-such-store/config'",
    },
  ),
  weaklyViolated('listPublicProducts', 'rate/retry-after-is-noted', 'RATE-3', 'info', {
    headline: '429 responses carry the undeclared Retry-After header',
    message: 'a 429 carries no Retry-After',
    expected: 'no Retry-After',
    actual: '2',
  }),
]);

/** Forty findings of one cause over eleven operations, and two findings of other causes. */
export const oneCause: Report = ((): Report => {
  const failed = Array.from({ length: 40 }, (_, index) => {
    const operation = keyed[index % keyed.length] ?? '';
    const check =
      index < keyed.length ? unknownKey : `auth/near-miss-${Math.floor(index / keyed.length)}-is-refused`;
    return violatedCase(operation, check, {}, index === 13 ? { actual: '403' } : {});
  });
  const others = ['listPublicContactChannels', 'searchPublicProducts'].map((operation) =>
    wrongErrorBody(operation, {
      actual: `text/html; charset=utf-8, starting with <html><head><title>Not found: ${operation}</title>`,
      reproduction: "curl 'https://staging.example.com/gateway/api/v1/public/contact?x=%00'",
    }),
  );
  return sampleReport([...passedCases, ...failed, ...others], {
    rootCauses: [
      {
        id: 'aaaaaaaa',
        headline: 'An invalid key was accepted',
        level: 'must',
        subject: 'service',
        fix: 'Look up the whole key exactly, by a hash and without collation.',
        requirements: ['AUTH-3'],
        operations: keyed,
        findings: [...failed.slice(2), ...failed.slice(0, 2)].flatMap(({ findings }) =>
          findings.map(({ id }) => id),
        ),
        accept: 'accepted: []',
      },
    ],
  });
})();

/** Five root causes of several requirements, one of them a sequence of four calls. */
export const fiveCauses: Report = ((): Report => {
  const read = sampleExchange('getHostedCheckoutSession', 'session/refused-cancel');
  const steps = ['create', 'refused cancel', 'read', 'second read'].map((label, index) => ({
    ...read,
    id: `step-${index + 1}`,
    operation: index === 0 ? 'createHostedCheckoutSession' : read.operation,
    label,
  }));
  return sampleReport([
    ...passedCases,
    ...keyed.map((operation) => violatedCase(operation, unknownKey)),
    ...hosted.map((operation) =>
      violatedCase(
        operation,
        'scope/missing-scope-is-refused',
        { requirement: 'SCOPE-1' },
        { headline: 'A key without catalog:read was not refused with 403', expected: '403', actual: '401' },
      ),
    ),
    ...sampleOperations.map(({ id }) => wrongErrorBody(id)),
    violatedCase(
      'getHostedCheckoutSession',
      'session/refused-cancel-has-no-effect',
      { requirement: 'SESSION-4' },
      {
        headline: 'A refused cancel changed the session',
        expected: 'the session as it was',
        actual: 'state: cancelled',
        exchange: steps.at(-1) ?? read,
        steps,
      },
    ),
    weaklyViolated('getPublicProduct', 'hygiene/no-stack', 'HYGIENE-1', 'should', {
      headline: 'An error body holds a stack trace',
      expected: 'no stack trace',
      actual: 'at Router.handle (/srv/app/router.js:12:3)',
    }),
  ]);
})();

/** A target that answers 503 to every call. */
const alwaysUnavailable: Report = sampleReport(
  passedCases.map(({ operation, check }) =>
    openCase(operation, check, 'The target answered 503 to every valid call.'),
  ),
  {
    coverage: coverage.map((entry) => ({
      ...entry,
      observed: 0,
      reason: 'every call was answered with 503',
    })),
  },
);

/** Inconclusive cases that need keys, values, or another run. */
export const incomplete: Report = sampleReport([
  ...passedCases.filter(({ operation }) => operation !== 'createHostedCheckoutSession'),
  {
    ...openCase('getPublicMerchantProfile', 'success/json-media-type', 'The answers were too large.'),
    level: 'should',
  },
  ...hosted.map((operation) =>
    openCase(
      operation,
      'scope/missing-scope-is-refused',
      'No key without catalog:read is known.',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what a target file says
      'keys:\n  unscoped: ${COMMERCE_KEY_UNSCOPED}',
    ),
  ),
  ...['session/created-session-can-be-read', 'session/cancel-is-confirmed'].map((check) =>
    openCase(
      'createHostedCheckoutSession',
      check,
      'No valid body is known.',
      'bodies: { createHostedCheckoutSession: … }',
    ),
  ),
  openCase(
    'getPublicProduct',
    'resource/any-string-is-answered',
    'The budget of requests ended.',
    '--max-requests 4000',
  ),
  openCase(
    'initiateHostedLogin',
    'login/return-is-consumed-once',
    'A login state is needed.',
    'Sign in at the staging shop once, then run again.',
  ),
  ...['listPublicCategories', 'listPublicContactChannels'].map((operation) =>
    openCase(operation, 'surface/answers', 'The target answered 429 to all 5 tries.'),
  ),
]);

/** The harness itself failed in one case. */
export const harnessError: Report = sampleReport([
  ...passedCases,
  {
    ...openCase(
      'getApiKeyIdentity',
      unknownKey,
      "TypeError: Cannot read properties of undefined (reading 'status')",
    ),
    outcome: 'error',
  },
]);

/** Stopped after the first few operations. */
export const interrupted: Report = sampleReport(passedCases.slice(0, 63), {
  ...decide(passedCases.slice(0, 63), { interrupted: true, filtered: false }),
  run: { ...allGreen.run, interrupted: true },
});

/** Characters that would move a cursor, hide, turn or break a line. */
export const hostileText: string =
  'red \x1b[31m\x1b]0;title\x07 back\r\nnew\tline \u202eturned\u2066 \u2028\u2029\u200b\ufeff\x9b2J \ud800 \x00 <script>alert(1)</script> ]]>';

const hostileLine = `curl 'https://staging.example.com/${hostileText}'`;

/** Hostile strings wherever a target's words may come to stand. */
export const hostile: Report = sampleReport(
  [
    wrongErrorBody('getPublicProduct', {
      headline: hostileText,
      message: hostileText,
      expected: hostileText,
      actual: `${hostileText}${'\x1b[2J'.repeat(10_000)}`,
      contract: hostileText,
      responseIds: [{ header: 'cf-ray', value: hostileText.slice(0, 128) }],
      reproduction: hostileLine,
    }),
    weaklyViolated('listPublicContactChannels', 'hygiene/no-stack', 'AUTH-3', 'should', {
      message: hostileText,
    }),
    weaklyViolated('getPublicBootstrap', 'hygiene/note', 'AUTH-3', 'info', { message: hostileText }),
    openCase('listPublicProducts', 'surface/answers', hostileText),
    openCase('listPublicCategories', 'surface/answers', 'not known', `parameters: { slug: ${hostileText} }`),
    { ...openCase('searchPublicProducts', 'surface/answers', hostileText), outcome: 'error' },
  ],
  {
    reasons: [hostileText],
    target: {
      baseUrl: `https://staging.example.com/${hostileText}`,
      embedded: false,
      discovered: [{ name: 'slug', value: hostileText, from: 'listPublicProducts' }],
    },
  },
);

/** Markup that would set `breached` of the window if a page let it run. */
export const breachingMarkup: string =
  '</pre></script></style></title><script>window.breached=1</script><img src="x" onerror="window.breached=1"><svg onload="window.breached=1"></svg>"><img src=x onerror=window.breached=1><iframe srcdoc="<script>parent.breached=1</script>"></iframe><a href="javascript:window.breached=1" style="position:fixed;inset:0">click</a><!--';

/** Bodies that try to break out of whatever shows them. */
const hostileAnswers: readonly RecordedBody[] = [
  exampleBody(breachingMarkup),
  exampleBody(JSON.stringify({ message: breachingMarkup, turned: hostileText, '</script>': [1, { a: {} }] })),
  exampleBody(hostileText),
  exampleBody(
    '\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 a\u0301'.repeat(3) +
      'Z\u0334\u0321\u033a'.repeat(200),
  ),
  exampleBody('x<b>'.repeat(256 * 1024)),
  exampleBody(`${'['.repeat(30_000)}${']'.repeat(30_000)}`),
  { ...exampleBody('AP/+gIGC'), encoding: 'base64', bytes: 6 },
  {
    ...exampleBody(`{"message":42,"items":[${Array.from({ length: 400 }, (_, n) => `{"n":${n}}`).join(',')}`),
    truncated: true,
    bytes: 90_000,
  },
];

function hostileExchange(operation: string, answered: RecordedBody): Exchange {
  const exchange = sampleExchange(operation, 'error/body-is-json');
  return {
    ...exchange,
    label: breachingMarkup,
    request: {
      ...exchange.request,
      path: `/${breachingMarkup}${hostileText}`,
      values: { slug: { value: hostileText, source: 'generated' } },
      body: exampleBody(breachingMarkup),
    },
    response: {
      status: 404,
      headers: [
        ['content-type', breachingMarkup],
        ['x-note', hostileText],
      ],
      body: answered,
    },
  };
}

/** Markup, scripts, floods and what turns or hides text, in everything that a target sends. */
export const hostileBodies: Report = sampleReport(
  sampleOperations.flatMap(({ id }, at) =>
    hostileAnswers.slice(at, at + 1).map((answered) =>
      wrongErrorBody(id, {
        message: 'a 404 carries a PublicErrorResponse',
        expected: 'a JSON object in UTF-8 under a JSON media type',
        actual: '/message must be string; "><img src=x onerror="window.breached=1">',
        exchange: hostileExchange(id, answered),
        reproduction: hostileLine,
      }),
    ),
  ),
  {
    target: {
      baseUrl: 'https://example.com/"><img src=x onerror=window.breached=1>',
      embedded: false,
      discovered: [{ name: '</title><script>', value: hostileText, from: 'listPublicProducts' }],
      excluded: [{ class: 'nul', operation: '<b>', reason: hostileText }],
    },
  },
);

/** Every sample by name. */
export const sampleReports: Readonly<Record<string, Report>> = {
  allGreen,
  oneFailure,
  oneCause,
  fiveCauses,
  alwaysUnavailable,
  incomplete,
  harnessError,
  interrupted,
  hostile,
  hostileBodies,
};
