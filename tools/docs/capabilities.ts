import type { Fault } from '../../fixtures/faults/fault.ts';

/** What the harness can do, with the faults that need it and the variants that it must not accuse. */
export interface Capability {
  readonly what: string;
  /** Files of faults that need it. */
  readonly files?: readonly string[];
  /** Checks whose faults need it. */
  readonly checks?: readonly string[];
  readonly faults?: readonly string[];
  readonly variants: readonly string[];
}

/** The capabilities that the corpus was extended for. */
export const capabilities: readonly Capability[] = [
  {
    what: 'violations in any exchange, whichever case sent it',
    files: ['seen-elsewhere'],
    checks: [
      'auth/invalid-key-never-succeeds',
      'auth/missing-credentials-never-succeed',
      'auth/public-reads-are-never-refused',
      'resource/wrong-ids-find-nothing',
      'scope/missing-scope-never-succeeds',
    ],
    variants: [
      'cancelled-sessions-are-not-found-before-keys',
      'slugs-ignore-case-and-white-space',
      'every-slug-one-letter-longer-is-a-product',
      'sessions-are-looked-up-before-bodies',
    ],
  },
  {
    what: 'wrong ids that are answered',
    checks: ['resource/unknown-resource-is-not-found'],
    variants: [
      'neighbouring-slugs-are-products-too',
      'slugs-are-trimmed',
      'slugs-are-composed',
      'session-ids-are-base64',
      'session-ids-follow-each-other',
    ],
  },
  {
    what: 'the surface of clients',
    checks: ['client/any-client-is-answered', 'client/unsupported-format-is-answered'],
    variants: [
      'matching-validators-get-304',
      'codings-are-weighed',
      'accept-without-json-is-refused',
      'query-values-are-validated',
      'malformed-headers-are-refused',
    ],
  },
  {
    what: 'more than one thing wrong',
    checks: ['errors/several-defects-are-refused'],
    variants: [
      'both-unknown-path-values-are-invalid',
      'replicas-check-in-different-orders',
      'unknown-sessions-are-not-found-before-all-else',
      'bodies-are-validated-before-keys',
    ],
  },
  {
    what: 'what a 200 holds',
    files: ['success-contents'],
    variants: [
      'successes-hold-the-fields-of-errors',
      'products-show-errors-of-their-own',
      'both-keys-have-one-identity',
      'identities-tell-the-last-use',
    ],
  },
  {
    what: 'memory across cases',
    files: ['memory'],
    faults: [
      'a-missing-scope-stays-missing',
      'a-product-not-found-is-cached-for-all',
      'a-refused-stranger-is-cached',
      'a-refused-stranger-stays-one',
      'identity-is-of-the-key-before',
      'session-ids-are-reused',
    ],
    variants: [
      'a-login-under-way-is-given-again',
      'a-refused-return-uses-up-its-login',
      'equal-logins-within-a-moment-are-one',
      'reads-come-from-a-cache-of-a-second',
    ],
  },
  {
    what: 'concurrency on one resource',
    files: ['simultaneous-calls'],
    faults: [
      'a-login-is-consumed-on-another-replica-too',
      'concurrent-session-reads-are-swapped',
      'crowded-products-are-unavailable',
      'crowds-end-in-a-500',
    ],
    variants: [
      'cancels-at-once-are-one',
      'cancels-at-once-conflict',
      'equal-returns-at-once-get-one-answer',
      'sessions-answer-one-call-at-a-time',
    ],
  },
  {
    what: 'the key only in its header',
    files: ['key-places'],
    checks: ['auth/key-counts-in-its-header-alone'],
    variants: [
      'keys-in-queries-are-bad-requests',
      'key-is-taken-with-or-without-scheme',
      'scheme-ignores-case',
      'unreadable-credentials-are-malformed',
    ],
  },
  {
    what: 'throttling at every operation',
    files: ['throttling-per-operation', 'throttling'],
    variants: [
      'each-operation-has-a-small-limit',
      'search-has-a-limit-of-its-own',
      'throttling-prolongs-itself-a-little',
      'windows-of-a-second-are-throttled',
    ],
  },
];

/** The faults that need a capability and are found. */
export function faultsOf(
  { files = [], checks = [], faults = [] }: Capability,
  faultsByFile: ReadonlyMap<string, readonly Fault[]>,
): readonly Fault[] {
  return [...faultsByFile].flatMap(([file, all]) =>
    all.filter(
      ({ name, breaks, missed }) =>
        missed === undefined &&
        (files.includes(file) || checks.includes(breaks.check) || faults.includes(name)),
    ),
  );
}
