import type { CaseResult, CoverageEntry, Report } from '../../harness/model/report.ts';
import { causesOf, summarise } from '../../harness/results/verdict.ts';
import { hostileExchanges } from './hostile-exchanges-for-tests.ts';
import {
  inapplicableCase,
  openCase,
  passedCases,
  sampleExchange,
  violatedCase,
} from './sample-cases-for-tests.ts';
import { sampleOperations } from './sample-operations-for-tests.ts';

const statuses = [200, 400, 401, 403, 404, 409, 429] as const;

const coverage: readonly CoverageEntry[] = sampleOperations.flatMap(({ id }) =>
  statuses.map((status) =>
    status === 409 || status === 429
      ? { operation: id, status, observed: 0, reason: 'nobody can force it' }
      : { operation: id, status, observed: 4, reason: null },
  ),
);

/** A report of the given cases whose summary is counted from them, with the given differences. */
export function sampleReport(results: readonly CaseResult[], change: Partial<Report> = {}): Report {
  return {
    schemaVersion: '1.1',
    verdict: 'conformant',
    complete: true,
    reasons: [],
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
    causes: [],
    ...change,
  };
}

const unknownKey = 'auth/invalid-key-is-refused';
const keyed = sampleOperations.filter(({ path }) => path.startsWith('/api/v1/open/')).map(({ id }) => id);

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
export const oneFailure: Report = ((): Report => {
  const failed = violatedCase('createHostedCheckoutSession', unknownKey);
  const results: readonly CaseResult[] = [
    ...passedCases,
    failed,
    violatedCase(
      'getPublicStoreSecurityConfig',
      'resource/unknown-store-is-not-found',
      { requirement: 'RESOURCE-1', level: 'should', outcome: 'warn' },
      {
        level: 'should',
        headline: 'A setting below an unknown store was not answered with 404',
        message: 'settings below an unknown store are not found',
        expected: '404',
        contract: 'Errors, 404',
        seen: { times: 1, of: 40 },
        reproduction:
          "curl 'https://staging.example.com/gateway/api/v1/public/store-access/no-such-store/config'",
      },
    ),
    violatedCase(
      'listPublicProducts',
      'rate/retry-after-is-noted',
      { requirement: 'RATE-3', level: 'info', outcome: 'pass' },
      {
        level: 'info',
        headline: '429 responses carry the undeclared Retry-After header',
        message: 'a 429 carries no Retry-After',
        expected: 'no Retry-After',
        actual: '2',
      },
    ),
  ];
  return sampleReport(results, {
    verdict: 'non-conformant',
    reasons: ['1 case failed at 1 operation'],
    causes: [
      {
        requirement: 'AUTH-3',
        signature: 'expected 401, got 200',
        operations: ['createHostedCheckoutSession'],
        count: 1,
        example: failed.findings[0]?.id ?? '',
      },
    ],
  });
})();

/** Forty findings of one cause over eleven operations, and two findings of other causes. */
export const oneCause: Report = ((): Report => {
  const failed = Array.from({ length: 40 }, (_, index) => {
    const operation = keyed[index % keyed.length] ?? '';
    const check =
      index < keyed.length ? unknownKey : `auth/near-miss-${Math.floor(index / keyed.length)}-is-refused`;
    return violatedCase(operation, check, {}, index === 13 ? { actual: '403' } : {});
  });
  const others = ['listPublicContactChannels', 'searchPublicProducts'].map((operation) =>
    violatedCase(
      operation,
      'error/body-is-json',
      { requirement: 'ERROR-1' },
      {
        headline: 'An error response has no PublicErrorResponse body',
        message: 'every error has a PublicErrorResponse body',
        expected: 'a JSON object with media type application/json',
        actual: `text/html; charset=utf-8, starting with <html><head><title>Not found: ${operation}</title>`,
        contract: 'Errors',
        reproduction: "curl 'https://staging.example.com/gateway/api/v1/public/contact?x=%00'",
      },
    ),
  );
  return sampleReport([...passedCases, ...failed, ...others], {
    verdict: 'non-conformant',
    reasons: ['42 cases failed at 13 operations'],
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
  const last = steps.at(-1) ?? read;
  const hosted = keyed.slice(2, 7);
  const results: readonly CaseResult[] = [
    ...keyed.map((operation) => violatedCase(operation, unknownKey)),
    ...hosted.map((operation) =>
      violatedCase(
        operation,
        'scope/missing-scope-is-refused',
        { requirement: 'SCOPE-1' },
        { headline: 'A key without catalog:read was not refused with 403', expected: '403', actual: '401' },
      ),
    ),
    ...sampleOperations.map(({ id }) =>
      violatedCase(
        id,
        'error/body-is-json',
        { requirement: 'ERROR-1' },
        {
          headline: 'An error response has no PublicErrorResponse body',
          message: 'every error has a PublicErrorResponse body',
          expected: 'a JSON object with media type application/json',
          actual: 'text/html; charset=utf-8, starting with <html><head><title>400 Bad Request</title>',
        },
      ),
    ),
    violatedCase(
      'getHostedCheckoutSession',
      'session/refused-cancel-has-no-effect',
      { requirement: 'SESSION-4' },
      {
        headline: 'A refused cancel changed the session',
        expected: 'the session as it was',
        actual: 'state: cancelled',
        exchange: last,
        steps,
      },
    ),
    violatedCase(
      'getPublicProduct',
      'hygiene/no-stack',
      { requirement: 'HYGIENE-1', outcome: 'warn', level: 'should' },
      {
        headline: 'An error body holds a stack trace',
        level: 'should',
        expected: 'no stack trace',
        actual: 'at Router.handle (/srv/app/router.js:12:3)',
      },
    ),
  ];
  const causes = causesOf(results);
  return sampleReport([...passedCases, ...results], {
    verdict: 'non-conformant',
    reasons: ['42 cases failed, on 25 of the operations'],
    causes,
  });
})();

/** A target that answers 503 to every call. */
const alwaysUnavailable: Report = sampleReport(
  sampleOperations.flatMap(({ id }) =>
    Array.from({ length: 12 }, (_, index) =>
      openCase(id, `area/behaviour-${index + 1}`, 'The target answered 503 to every valid call.'),
    ),
  ),
  {
    verdict: 'incomplete',
    complete: false,
    reasons: [
      'https://staging.example.com/gateway answered 503 to every valid call: the service may be down',
    ],
    coverage: coverage.map((entry) => ({
      ...entry,
      observed: 0,
      reason: 'every call was answered with 503',
    })),
  },
);

/** Inconclusive cases that need keys, values, or another run. */
export const incomplete: Report = ((): Report => {
  const hosted = keyed.slice(2, 7);
  const open: readonly CaseResult[] = [
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
    openCase('listPublicCategories', 'surface/answers', 'The target answered 429 to all 5 tries.'),
    openCase('listPublicContactChannels', 'surface/answers', 'The target answered 429 to all 5 tries.'),
  ];
  const answered = passedCases.filter(({ operation }) => operation !== 'createHostedCheckoutSession');
  return sampleReport([...answered, ...open], {
    verdict: 'incomplete',
    complete: false,
    reasons: ['11 cases with level must were not tested'],
  });
})();

/** The harness itself failed in one case. */
export const harnessError: Report = sampleReport(
  [
    ...passedCases,
    {
      ...openCase(
        'getApiKeyIdentity',
        unknownKey,
        "TypeError: Cannot read properties of undefined (reading 'status')",
      ),
      outcome: 'error',
    },
  ],
  {
    verdict: 'error',
    complete: false,
    reasons: ['The harness itself failed in 1 case; this says nothing about the target.'],
  },
);

/** Stopped after the first few operations. */
export const interrupted: Report = sampleReport(passedCases.slice(0, 63), {
  verdict: 'incomplete',
  complete: false,
  reasons: ['The run was interrupted before 187 of 250 cases.'],
  run: { ...allGreen.run, interrupted: true },
});

/** Characters that would move a cursor, hide, turn or break a line. */
export const hostileText: string =
  'red \x1b[31m\x1b]0;title\x07 back\r\nnew\tline \u202eturned\u2066 \u2028\u2029\u200b\ufeff\x9b2J \ud800 \x00 <script>alert(1)</script> ]]>';

/** Hostile strings wherever a target's words may come to stand. */
export const hostile: Report = ((): Report => {
  const operation = 'getPublicProduct';
  const results: readonly CaseResult[] = [
    violatedCase(
      operation,
      'error/body-is-json',
      { requirement: 'ERROR-1', message: hostileText },
      {
        message: hostileText,
        expected: hostileText,
        actual: `${hostileText}${'\x1b[2J'.repeat(10_000)}`,
        contract: hostileText,
        responseIds: [{ header: 'cf-ray', value: hostileText.slice(0, 128) }],
        reproduction: `curl 'https://staging.example.com/${hostileText}'`,
      },
    ),
    violatedCase(
      'listPublicContactChannels',
      'hygiene/no-stack',
      { outcome: 'warn', level: 'should' },
      { level: 'should', message: hostileText },
    ),
    violatedCase(
      'getPublicBootstrap',
      'hygiene/note',
      { outcome: 'pass', level: 'info' },
      { level: 'info', message: hostileText },
    ),
    openCase('listPublicProducts', 'surface/answers', hostileText),
    openCase('listPublicCategories', 'surface/answers', 'not known', `parameters: { slug: ${hostileText} }`),
    { ...openCase('searchPublicProducts', 'surface/answers', hostileText), outcome: 'error' },
  ];
  return sampleReport(results, {
    verdict: 'non-conformant',
    complete: false,
    reasons: [hostileText],
    target: {
      baseUrl: `https://staging.example.com/${hostileText}`,
      embedded: false,
      discovered: [{ name: 'slug', value: hostileText, from: 'listPublicProducts' }],
    },
    causes: [
      {
        requirement: 'ERROR-1',
        signature: hostileText,
        operations: [operation],
        count: 1,
        example: '00000000',
      },
    ],
  });
})();

/** Markup, scripts, floods and what turns or hides text, in everything that a target sends. */
export const hostileBodies: Report = ((): Report => {
  const results = hostileExchanges(hostileText).map(([operation, exchange]) =>
    violatedCase(
      operation,
      'error/body-is-json',
      { requirement: 'ERROR-1' },
      {
        headline: 'An error response has no PublicErrorResponse body',
        message: 'a 404 carries a PublicErrorResponse',
        expected: 'a JSON object in UTF-8 under a JSON media type',
        actual: '/message must be string; "><img src=x onerror="window.breached=1">',
        contract: 'Errors',
        exchange,
        reproduction: `curl 'https://staging.example.com/${hostileText}'`,
      },
    ),
  );
  return sampleReport(results, {
    verdict: 'non-conformant',
    reasons: ['8 cases failed, on 8 of the operations'],
    target: {
      baseUrl: 'https://example.com/"><img src=x onerror=window.breached=1>',
      embedded: false,
      discovered: [{ name: '</title><script>', value: hostileText, from: 'listPublicProducts' }],
      excluded: [{ class: 'nul', operation: '<b>', reason: hostileText }],
    },
  });
})();

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
