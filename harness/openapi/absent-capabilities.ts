import type { DescribedOperation } from './find-operation.ts';

const reads = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Capabilities that the contract excludes, and the path segments and routes of operations that offer them. */
const absentCapabilities: ReadonlyArray<{
  /** In words, such as `orders`. */
  readonly name: string;
  readonly segment: RegExp;
  readonly routes?: readonly RegExp[];
  readonly onlyWrites?: boolean;
}> = [
  {
    name: 'OAuth',
    segment: /^(?:oauth2?|oidc|openid|openid-configuration|oauth-authorization-server)$/,
    routes: [
      /\/(?:connect|auth|login|sso|realms\/[^/]+)\/(?:.*\/)?(?:token|authorize|userinfo|introspect|revoke)$/,
    ],
  },
  {
    name: 'orders',
    segment: /^(?:(?:purchase-|sales-)?orders?|order-(?:drafts?|history)|(?:place|submit)-order)$/,
  },
  { name: 'payments', segment: /^(?:pay|payments?|payment-intents?)$/ },
  {
    name: 'webhook subscriptions',
    segment: /^(?:web-?hooks?|(?:web-?hook|event|notification)-subscriptions?|event-(?:hooks?|listeners?))$/,
    routes: [
      /\/(?:events?|notifications?)\/(?:.*\/)?(?:subscriptions?|subscribe|listeners?)(?:\/|$)/,
      /\/(?:subscriptions?|subscribe)\/(?:events?|notifications?)(?:\/|$)/,
    ],
  },
  { name: 'installation writes', segment: /^installations?$/, onlyWrites: true },
  {
    name: 'bot challenges',
    segment: /^(?:bot-?)?(?:challenges?|[a-z]*captchas?|turnstile)$|^bot-(?:checks?|verifications?)$/,
  },
  {
    name: 'production activation',
    segment: /^(?:production-activations?|activate-production|go-live)$/,
    routes: [/\/production\/(?:activate|activations?)$/],
  },
];

/** The excluded capability that an operation beside the 25 offers; undefined for any other operation. */
export function absentCapability(described: DescribedOperation): string | undefined {
  if (isPrivate(described)) return undefined;
  const route = described.path.toLowerCase().replaceAll('_', '-').replace(/\/+$/, '');
  return absentCapabilities.find(
    ({ segment, routes = [], onlyWrites = false }) =>
      !(onlyWrites && reads.has(described.method)) &&
      (hasSegment(described, segment) || routes.some((pattern) => pattern.test(route))),
  )?.name;
}

/** Whether an operation is private, and so out of scope. */
export function isPrivate(described: DescribedOperation): boolean {
  return described.place.read('x-internal') === true || hasSegment(described, /^(?:internal|private|admin)$/);
}

function hasSegment({ path }: DescribedOperation, pattern: RegExp): boolean {
  return path
    .toLowerCase()
    .replaceAll('_', '-')
    .split('/')
    .some((segment) => pattern.test(segment));
}
