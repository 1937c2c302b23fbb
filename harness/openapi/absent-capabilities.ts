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
    offeredBy: hasSegment(/^(?:oauth2?|oidc|openid|openid-configuration|oauth-authorization-server)$/),
  },
  { name: 'orders', offeredBy: hasSegment(/^orders?$/) },
  {
    name: 'webhook subscriptions',
    offeredBy: hasSegment(/^(?:web-?hooks?|(?:web-?hook|event)-subscriptions?)$/),
  },
  {
    name: 'installation writes',
    offeredBy: (described) => !reads.has(described.method) && hasSegment(/^installations?$/)(described),
  },
  { name: 'bot challenges', offeredBy: hasSegment(/^(?:bot-?)?(?:challenges?|captchas?)$/) },
  { name: 'production activation', offeredBy: hasSegment(/^production-activations?$/) },
];

/** The capability that an operation beside the 25 offers though there is none; undefined for any other operation. */
export function absentCapability(content: Members, described: DescribedOperation): string | undefined {
  // Private routes are out of scope, whatever they do.
  if (reach(content, described.place, 'x-internal')?.value === true) return undefined;
  if (hasSegment(/^(?:internal|private|admin)$/)(described)) return undefined;
  return absentCapabilities.find(({ offeredBy }) => offeredBy(described))?.name;
}

function hasSegment(pattern: RegExp): (described: DescribedOperation) => boolean {
  return ({ path }) =>
    path
      .toLowerCase()
      .split('/')
      .some((segment) => pattern.test(segment.replaceAll('_', '-')));
}
