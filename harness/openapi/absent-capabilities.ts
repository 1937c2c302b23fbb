import type { Members } from '../model/supplied-document.ts';
import type { DescribedOperation } from './find-operation.ts';
import { reach } from './follow-references.ts';

/** Something that the contract says the service does not offer. */
export interface AbsentCapability {
  /** In words, such as `orders`. */
  readonly name: string;
  readonly offeredBy: (described: DescribedOperation) => boolean;
}

const reads = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** What the contract names as not available, and what an operation looks like that offers it all the same. */
const absentCapabilities: readonly AbsentCapability[] = [
  {
    name: 'OAuth',
    offeredBy: anyOf(
      hasSegment(/^(?:oauth2?|oidc|openid|openid-configuration|oauth-authorization-server)$/),
      hasRoute(
        /\/(?:connect|auth|login|sso|realms\/[^/]+)\/(?:.*\/)?(?:token|authorize|userinfo|introspect|revoke)$/,
      ),
    ),
  },
  {
    name: 'orders',
    offeredBy: hasSegment(
      /^(?:(?:purchase-|sales-)?orders?|order-(?:drafts?|history)|(?:place|submit)-order)$/,
    ),
  },
  { name: 'payments', offeredBy: hasSegment(/^(?:pay|payments?|payment-intents?)$/) },
  {
    name: 'webhook subscriptions',
    offeredBy: anyOf(
      hasSegment(
        /^(?:web-?hooks?|(?:web-?hook|event|notification)-subscriptions?|event-(?:hooks?|listeners?))$/,
      ),
      hasRoute(/\/(?:events?|notifications?)\/(?:.*\/)?(?:subscriptions?|subscribe|listeners?)(?:\/|$)/),
      hasRoute(/\/(?:subscriptions?|subscribe)\/(?:events?|notifications?)(?:\/|$)/),
    ),
  },
  {
    name: 'installation writes',
    offeredBy: (described) => !reads.has(described.method) && hasSegment(/^installations?$/)(described),
  },
  {
    name: 'bot challenges',
    offeredBy: hasSegment(
      /^(?:bot-?)?(?:challenges?|[a-z]*captchas?|turnstile)$|^bot-(?:checks?|verifications?)$/,
    ),
  },
  {
    name: 'production activation',
    offeredBy: anyOf(
      hasSegment(/^(?:production-activations?|activate-production|go-live)$/),
      hasRoute(/\/production\/(?:activate|activations?)$/),
    ),
  },
];

/** The capability that an operation beside the 25 offers though there is none; undefined for any other operation. */
export function absentCapability(content: Members, described: DescribedOperation): string | undefined {
  if (isPrivate(content, described)) return undefined;
  return absentCapabilities.find(({ offeredBy }) => offeredBy(described))?.name;
}

/** Whether an operation is private: what it does is out of scope. */
export function isPrivate(content: Members, described: DescribedOperation): boolean {
  if (reach(content, described.place, 'x-internal')?.value === true) return true;
  return hasSegment(/^(?:internal|private|admin)$/)(described);
}

function anyOf(...offers: ReadonlyArray<AbsentCapability['offeredBy']>): AbsentCapability['offeredBy'] {
  return (described) => offers.some((offeredBy) => offeredBy(described));
}

function hasRoute(pattern: RegExp): (described: DescribedOperation) => boolean {
  return ({ path }) => pattern.test(path.toLowerCase().replaceAll('_', '-').replace(/\/+$/, ''));
}

function hasSegment(pattern: RegExp): (described: DescribedOperation) => boolean {
  return ({ path }) =>
    path
      .toLowerCase()
      .split('/')
      .some((segment) => pattern.test(segment.replaceAll('_', '-')));
}
