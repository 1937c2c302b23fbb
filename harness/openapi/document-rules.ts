import type { Operation } from '../../spec/operation.ts';
import { pointerOf, type Steps } from '../json-pointers.ts';
import type { DocumentDeviation, OpenApiDocument } from '../model/supplied-document.ts';
import type { CompiledDocument } from './compile-document.ts';
import { atPath, type DescribedOperation, shapeOf } from './find-operation.ts';
import { oauthSchemes, securityOf } from './read-security.ts';

/** What a rule found at one place of the document. */
export interface Difference {
  readonly actual: string;
  readonly at: Steps;
  /** Stands for `{subject}` in the texts of the rule. */
  readonly subject?: string;
}

/** One thing in which document and contract must agree; `{path}` in its texts is that fact of the operation. */
export interface ContractRule<View>
  extends Required<Pick<DocumentDeviation, 'kind' | 'statement' | 'expected' | 'fix'>>,
    Pick<DocumentDeviation, 'clause'> {
  /** Reads from the document where it differs. */
  readonly read: (view: View) => Difference | readonly Difference[] | undefined;
}

interface DocumentView {
  readonly document: OpenApiDocument;
  readonly compiled: CompiledDocument;
  readonly operations: readonly Operation[];
}

/** Names that one deviation lists. */
export const mostShown = 5;

/** The texts of rules about what the contract excludes, such as `orders`. */
export const offersExcluded = {
  kind: 'offers-{subject}',
  statement: 'The document offers {subject}, which the contract excludes',
  expected: 'none',
  fix: 'Remove it from the document, or mark it x-internal: true where it is not public.',
};

export const documentRules: ReadonlyArray<ContractRule<DocumentView>> = [
  {
    kind: 'other-version',
    statement: 'The document is not written in OpenAPI 3.1',
    expected: 'openapi: 3.1.x',
    fix: 'Write openapi: 3.1.0, and convert the schemas to JSON Schema 2020-12.',
    read: ({ document: { version } }) =>
      unless(/^3\.1\.\d+(?:-\S+)?$/.test(version), `openapi: ${version}`, ['openapi']),
  },
  {
    kind: 'invalid-document',
    statement: 'The document is not valid OpenAPI 3.1',
    expected: 'a valid OpenAPI document',
    fix: 'Correct the named places; npx @redocly/cli lint shows them all.',
    read: ({ document: { defects } }) => unless(defects.length === 0, defects.slice(0, 3).join('; '), []),
  },
  { ...offersExcluded, read: excludedOperations },
  {
    ...offersExcluded,
    read: ({ compiled }) =>
      compiled.operations.flatMap((described) => {
        const names = described.place.entries('callbacks').map(([name]) => name);
        if (names.length === 0 || isPrivate(described)) return [];
        const actual = `callbacks ${names.slice(0, mostShown).join(', ')} of ${routeOf(described)}`;
        return { subject: 'webhook subscriptions', actual, at: [...described.place.steps, 'callbacks'] };
      }),
  },
  {
    kind: 'repeated-operation-id',
    statement: 'An operationId is not unique',
    expected: 'a unique operationId at {subject}',
    fix: 'Give {subject} a unique operationId.',
    read: repeatedIds,
  },
  {
    ...offersExcluded,
    read: ({ compiled }) => {
      const names = compiled.root.entries('webhooks').map(([name]) => name);
      if (names.length === 0) return undefined;
      return { subject: 'webhook subscriptions', actual: names.join(', '), at: ['webhooks'] };
    },
  },
  {
    kind: 'unusable-schema',
    statement: 'A schema of the document cannot be used',
    expected: 'a valid schema at {subject}',
    fix: 'Write a valid JSON Schema 2020-12 there, and make sure that all its references exist.',
    read: ({ compiled }) =>
      [...compiled.unusable.values()].map(({ at, reason }) => ({
        subject: pointerOf(at),
        actual: reason,
        at,
      })),
  },
];

export const missingOperation: ContractRule<{
  readonly compiled: CompiledDocument;
  readonly operation: Operation;
}> = {
  kind: 'missing-operation',
  statement: 'The document does not describe the operation',
  expected: '{method} {path}',
  fix: 'Describe {method} {path} below paths, or correct the path of servers.',
  read: ({ compiled: { operations }, operation: { id, method, path } }) => {
    const bare = shapeOf(path.replace(/^\/api\/v1/, ''));
    const elsewhere =
      atPath(operations, path)[0] ??
      operations.find(({ place }) => place.read('operationId') === id) ??
      operations.find((one) => one.method === method && shapeOf(one.path).endsWith(bare));
    if (elsewhere === undefined) return { actual: 'no such operation', at: ['paths'] };
    const actual = routeOf({ ...elsewhere, path: elsewhere.fullPaths[0] ?? elsewhere.path });
    return { actual, at: elsewhere.place.steps };
  },
};

/** No difference where it holds. */
export function unless(holds: boolean, actual: string, at: Steps): Difference | undefined {
  return holds ? undefined : { actual, at };
}

function routeOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** Operations beside the 25 that offer what the contract excludes. */
function excludedOperations({ compiled, operations }: DocumentView): readonly Difference[] {
  const published = new Set(operations.map((operation) => compiled.find(operation)?.place.value));
  const others = compiled.operations.filter(({ place }) => !published.has(place.value));
  return others.flatMap((described): readonly Difference[] => {
    const actual = routeOf(described);
    const at = described.place.steps;
    const subject = absentCapability(described);
    if (subject !== undefined) return [{ subject, actual, at }];
    const schemes = oauthSchemes(securityOf(compiled.root, described));
    return schemes.map((scheme) => ({ subject: 'OAuth', actual: `${actual} by ${scheme}`, at }));
  });
}

/** An operationId that an operation beside the 25 uses a second time. */
function repeatedIds({ compiled, operations }: DocumentView): readonly Difference[] {
  const fixed = operations.filter(({ idIsOurs }) => !idIsOurs);
  const published = new Set(fixed.map((operation) => compiled.find(operation)?.place.value));
  const isPublished = ({ place }: DescribedOperation): boolean => published.has(place.value);
  const first = new Map<unknown, DescribedOperation>();
  const all = compiled.operations;
  return [...all.filter(isPublished), ...all.filter((one) => !isPublished(one))].flatMap((described) => {
    const id = described.place.read('operationId');
    const other = first.get(id);
    if (other === undefined) first.set(id, described);
    // Another id at one of the 25 is a deviation of its own.
    const isRepeated =
      other !== undefined && !isPublished(described) && other.place.value !== described.place.value;
    if (typeof id !== 'string' || !isRepeated) return [];
    const subject = routeOf(described);
    const actual = `${id} at ${routeOf(other)} and at ${subject}`;
    return { subject, actual, at: [...described.place.steps, 'operationId'] };
  });
}

/** Capabilities that the contract excludes, and how operations look that offer them, such as `POST /web-hooks`. */
const absentCapabilities: ReadonlyArray<readonly [name: string, ...looks: readonly RegExp[]]> = [
  [
    'OAuth',
    /\/(?:oauth2?|oidc|openid|openid-configuration|oauth-authorization-server)(?:\/|$)/,
    /\/(?:connect|auth|login|sso|realms\/[^/]+)\/(?:.*\/)?(?:token|authorize|userinfo|introspect|revoke)$/,
  ],
  ['orders', /\/(?:(?:purchase-|sales-)?orders?|order-(?:drafts?|history)|(?:place|submit)-order)(?:\/|$)/],
  ['payments', /\/(?:pay|payments?|payment-intents?)(?:\/|$)/],
  [
    'webhook subscriptions',
    /\/(?:web-?hooks?|(?:web-?hook|event|notification)-subscriptions?|event-(?:hooks?|listeners?))(?:\/|$)/,
    /\/(?:events?|notifications?)\/(?:.*\/)?(?:subscriptions?|subscribe|listeners?)(?:\/|$)/,
    /\/(?:subscriptions?|subscribe)\/(?:events?|notifications?)(?:\/|$)/,
  ],
  ['installation writes', /^(?:POST|PUT|PATCH|DELETE) .*\/installations?(?:\/|$)/],
  [
    'bot challenges',
    /\/(?:(?:bot-?)?(?:challenges?|[a-z]*captchas?|turnstile)|bot-(?:checks?|verifications?))(?:\/|$)/,
  ],
  [
    'production activation',
    /\/(?:production-activations?|activate-production|go-live)(?:\/|$)|\/production\/(?:activate|activations?)$/,
  ],
];

/** The excluded capability that an operation beside the 25 offers; undefined for any other operation. */
function absentCapability(described: DescribedOperation): string | undefined {
  if (isPrivate(described)) return undefined;
  const [name] =
    absentCapabilities.find(([, ...looks]) => looks.some((look) => look.test(lookOf(described)))) ?? [];
  return name;
}

/** Whether an operation is private, and so out of scope. */
function isPrivate(described: DescribedOperation): boolean {
  const { place } = described;
  return place.read('x-internal') === true || /\/(?:internal|private|admin)(?:\/|$)/.test(lookOf(described));
}

/** Method and path, without what differs from author to author. */
function lookOf({ method, path }: DescribedOperation): string {
  return routeOf({ method, path: path.toLowerCase().replaceAll('_', '-').replace(/\/+$/, '') });
}
