import type { Operation } from '../../spec/contract.ts';
import type { OpenApiDocument } from '../model/supplied-document.ts';
import { absentCapability, isPrivate } from './absent-capabilities.ts';
import { type CompiledDocument, errorSchema, responseAt } from './compile-document.ts';
import {
  atPath,
  type DescribedOperation,
  namesIn,
  parametersOf,
  pathParameter,
  shapeOf,
} from './find-operation.ts';
import { pointerOf, type Steps } from './json-pointers.ts';
import { isMembers, type Place } from './place.ts';
import {
  describeSchemes,
  extensionsMention,
  namesScope,
  oauthSchemes,
  rolesOf,
  type Security,
  securityOf,
} from './read-security.ts';
import { otherSchema } from './schema-shape.ts';

/** What a rule found at one place of the document. */
interface Difference {
  readonly actual: string;
  readonly at: Steps;
  /** What the texts of the rule are about, where it is about several things. */
  readonly subject?: string;
}

/** The same for every difference, or made for one. */
export type Text<View> = string | ((view: View, subject: string) => string);

/** One thing in which a document must agree with the contract. */
export interface ContractRule<View> {
  readonly kind: Text<View>;
  /** The defect. */
  readonly statement: Text<View>;
  readonly expected: Text<View>;
  readonly fix: Text<View>;
  /** The clause of the requirement that is violated; absent for the requirement itself. */
  readonly clause?: string;
  /** Reads from the document where it differs. */
  readonly differs: (view: View) => readonly Difference[];
}

/** A whole document beside the contract. */
export interface DocumentView {
  readonly document: OpenApiDocument;
  readonly compiled: CompiledDocument;
  readonly operations: readonly Operation[];
}

/** An operation of the contract that a document lacks. */
export interface MissingView {
  readonly compiled: CompiledDocument;
  readonly operation: Operation;
}

/** An operation of the contract beside its description. */
export interface OperationView {
  readonly operation: Operation;
  readonly described: DescribedOperation;
  readonly place: Place;
  readonly security: Security;
  readonly body: Place | undefined;
  readonly success: Place | undefined;
  /** Where the responses are, or ought to be. */
  readonly responsesAt: Steps;
  /** Declared successes that the contract does not name, and errors. */
  readonly successes: readonly string[];
  readonly errors: readonly string[];
}

/** Names that one deviation lists. */
const mostShown = 5;

const offersExcluded = {
  kind: (_: unknown, capability: string) => `offers-${capability.toLowerCase().replaceAll(' ', '-')}`,
  statement: (_: unknown, capability: string) =>
    `The document offers ${capability}, which the contract excludes`,
  expected: 'none',
  fix: 'Remove it from the document, or mark it x-internal: true where it is not public.',
};

/** What must be so in the whole document. */
export const documentRules: ReadonlyArray<ContractRule<DocumentView>> = [
  {
    kind: 'other-version',
    statement: 'The document is not written in OpenAPI 3.1',
    expected: 'openapi: 3.1.x',
    fix: 'Write openapi: 3.1.0, and convert the schemas to JSON Schema 2020-12.',
    differs: ({ document: { version } }) =>
      unless(/^3\.1\.\d+(?:-\S+)?$/.test(version), `openapi: ${version}`, ['openapi']),
  },
  {
    kind: 'invalid-document',
    statement: 'The document is not valid OpenAPI 3.1',
    expected: 'a valid OpenAPI document',
    fix: 'Correct the named places; npx @redocly/cli lint shows them all.',
    differs: ({ document: { defects } }) => unless(defects.length === 0, defects.slice(0, 3).join('; '), []),
  },
  {
    ...offersExcluded,
    differs: ({ compiled, operations }) => {
      const published = new Set(operations.map((operation) => compiled.find(operation)?.place.value));
      const others = compiled.operations.filter(({ place }) => !published.has(place.value));
      return others.flatMap((described): readonly Difference[] => {
        const actual = nameOf(described);
        const at = described.place.steps;
        const subject = absentCapability(described);
        if (subject !== undefined) return [{ subject, actual, at }];
        const schemes = oauthSchemes(securityOf(compiled.root, described));
        return schemes.map((scheme) => ({ subject: 'OAuth', actual: `${actual} by ${scheme}`, at }));
      });
    },
  },
  {
    ...offersExcluded,
    differs: ({ compiled }) =>
      compiled.operations.flatMap((described) => {
        const names = described.place.entries('callbacks').map(([name]) => name);
        if (names.length === 0 || isPrivate(described)) return [];
        const actual = `callbacks ${names.slice(0, mostShown).join(', ')} of ${nameOf(described)}`;
        return [{ subject: 'webhook subscriptions', actual, at: [...described.place.steps, 'callbacks'] }];
      }),
  },
  {
    kind: 'repeated-operation-id',
    statement: 'An operationId is not unique',
    expected: (_, name) => `an operationId of its own at ${name}`,
    fix: (_, name) => `Give ${name} an operationId of its own.`,
    differs: repeatedIds,
  },
  {
    ...offersExcluded,
    differs: ({ compiled }) => {
      const names = compiled.root.entries('webhooks').map(([name]) => name);
      const actual = names.join(', ');
      return names.length === 0 ? [] : [{ subject: 'webhook subscriptions', actual, at: ['webhooks'] }];
    },
  },
  {
    kind: 'unusable-schema',
    statement: 'A schema of the document cannot be used',
    expected: (_, pointer) => `a valid schema at ${pointer}`,
    fix: 'Write a schema of JSON Schema 2020-12 there, all references of which exist.',
    differs: ({ compiled }) =>
      compiled.unusable.map(({ at, reason }) => ({ subject: pointerOf(at), actual: reason, at })),
  },
];

/** For an operation that is not described. */
export const missingRule: ContractRule<MissingView> = {
  kind: 'missing-operation',
  statement: 'The document does not describe the operation',
  expected: ({ operation }) => nameOf(operation),
  fix: ({ operation }) => `Describe ${nameOf(operation)} below paths, or correct the path of servers.`,
  differs: ({ compiled, operation: { id, method, path } }) => {
    const bare = shapeOf(path.replace(/^\/api\/v1/, ''));
    const { operations } = compiled;
    const elsewhere =
      atPath(operations, path)[0] ??
      operations.find(({ place }) => place.read('operationId') === id) ??
      operations.find((one) => one.method === method && shapeOf(one.path).endsWith(bare));
    if (elsewhere === undefined) return [{ actual: 'no such operation', at: ['paths'] }];
    const actual = nameOf({ ...elsewhere, path: elsewhere.fullPaths[0] ?? elsewhere.path });
    return [{ actual, at: elsewhere.place.steps }];
  },
};

/** What must be so at each operation that is described. */
export const operationRules: ReadonlyArray<ContractRule<OperationView>> = [
  {
    kind: 'other-operation-id',
    statement: 'The operation has another operationId than in the contract',
    expected: ({ operation }) => operation.id,
    fix: ({ operation }) => `Write operationId: ${operation.id}.`,
    differs: ({ operation, place }) => {
      const id = place.read('operationId');
      const actual = id === undefined ? 'no operationId' : String(id);
      return unless(operation.idIsOurs || id === operation.id, actual, place.steps);
    },
  },
  {
    kind: 'parameter-not-a-string',
    statement: 'A path parameter is not declared as a string',
    expected: (_, name) => `the path parameter ${name} as a string`,
    fix: (_, name) => `Declare { name: ${name}, in: path, required: true, schema: { type: string } }.`,
    differs: ({ described, place }) =>
      namesIn(described.path).flatMap((subject) => {
        const parameter = pathParameter(described, subject);
        if (parameter === undefined) return [{ subject, actual: 'not declared', at: place.steps }];
        const types = [parameter.read('schema', 'type') ?? 'string'].flat();
        const actual = `of type ${types.join(', ')}`;
        return types.includes('string') ? [] : [{ subject, actual, at: parameter.steps }];
      }),
  },
  {
    kind: 'swapped-parameters',
    statement: 'The path parameters are swapped',
    expected: ({ operation }) => operation.path,
    fix: ({ operation }) => `Write the path as ${operation.path}.`,
    differs: ({ operation, described: { path, pathItem } }) => {
      const ours = namesIn(operation.path);
      const theirs = namesIn(path).slice(-ours.length);
      const isSwapped =
        ours.every((name) => theirs.includes(name)) && ours.some((name, index) => theirs[index] !== name);
      return unless(!isSwapped, path, pathItem.steps);
    },
  },
  {
    kind: 'further-parameters',
    statement: 'The operation declares query or header parameters',
    expected: 'none',
    fix: 'Remove these parameters from the operation and its path.',
    differs: ({ operation, described }) => {
      const further = operation.idIsOurs ? [] : furtherParameters(described);
      const names = further
        .slice(0, mostShown)
        .map((one) => `${one.read('in')} parameter ${one.read('name')}`);
      const more = further.length > mostShown ? ` and ${further.length - mostShown} more` : '';
      return further.slice(0, 1).map(({ steps }) => ({ actual: names.join(', ') + more, at: steps }));
    },
  },
  {
    kind: 'credentials-required',
    statement: 'The public operation requires credentials',
    expected: 'no security requirement',
    fix: 'Write security: [] at the operation.',
    differs: ({ operation, security }) => {
      const holds = operation.auth !== 'none' || security.isAnonymous;
      return unless(holds, `security by ${describeSchemes(security, false)}`, security.at);
    },
  },
  {
    kind: 'key-not-in-authorization',
    statement: 'The operation does not take an API key in the Authorization header',
    expected: 'a security scheme of type http, or of type apiKey in the header Authorization',
    fix: 'Name a security scheme of type http, or of type apiKey in the header Authorization, in the security of the operation, without an empty alternative {}.',
    differs: ({ operation, security }) => {
      const actual = security.isAnonymous
        ? 'no security requirement'
        : `security by ${describeSchemes(security, true)}`;
      return unless(operation.auth === 'none' || takesKey(security), actual, security.at);
    },
  },
  {
    kind: 'scope-required',
    statement: 'The operation requires a scope',
    expected: 'no scope',
    fix: 'Remove the scope from the security of the operation, as in security: [{ ApiKey: [] }].',
    differs: withKey(({ operation: { scope }, security, place }) => {
      const roles = rolesOf(security);
      const isAsked = roles.length > 0 || extensionsMention(place, 'catalog:read');
      return unless(scope !== undefined || !isAsked, roles.join(', ') || 'catalog:read', security.at);
    }),
  },
  {
    kind: 'scope-not-required',
    statement: ({ operation }) => `The operation does not require the scope ${operation.scope}`,
    expected: ({ operation }) => String(operation.scope),
    fix: ({ operation }) =>
      `Add the scope to the security of the operation, as in security: [{ ApiKey: ['${operation.scope}'] }].`,
    differs: withKey(({ operation: { scope }, security, described }) => {
      const holds = scope === undefined || namesScope(security, described, scope);
      return unless(holds, rolesOf(security).join(', ') || 'no scope', security.at);
    }),
  },
  {
    kind: 'further-scope',
    statement: ({ operation }) => `The operation requires a scope beside ${operation.scope}`,
    expected: ({ operation }) => String(operation.scope),
    fix: ({ operation }) =>
      `Remove every other scope than ${operation.scope} from the security of the operation.`,
    differs: withKey(({ operation: { scope }, security, described }) => {
      const roles = rolesOf(security);
      const isNamed = scope !== undefined && namesScope(security, described, scope);
      return unless(!isNamed || roles.every((role) => role === scope), roles.join(', '), security.at);
    }),
  },
  {
    ...offersExcluded,
    differs: ({ security, place }) =>
      oauthSchemes(security).map((scheme) => ({ subject: 'OAuth', actual: scheme, at: place.steps })),
  },
  {
    kind: 'further-request-body',
    statement: 'The operation declares a request body',
    expected: 'no requestBody',
    fix: 'Remove requestBody from the operation.',
    differs: ({ operation, body }) =>
      body === undefined || operation.idIsOurs || operation.requestSchema !== undefined
        ? []
        : [{ actual: 'a requestBody', at: body.steps }],
  },
  {
    kind: 'optional-request-body',
    statement: 'The operation does not require its request body',
    expected: 'requestBody with required: true',
    fix: ({ operation }) =>
      `Write a requestBody with required: true and the schema ${operation.requestSchema}.`,
    differs: ({ operation, body, place }) => {
      const holds = operation.requestSchema === undefined || body?.read('required') === true;
      const actual = body === undefined ? 'no requestBody' : 'an optional requestBody';
      return unless(holds, actual, body?.steps ?? place.steps);
    },
  },
  schemaRule('other-request-schema', {
    whose: () => 'The request body',
    name: ({ requestSchema }) => requestSchema,
    holders: ({ body }) => [['', body]],
  }),
  {
    kind: 'missing-status',
    statement: 'The operation does not declare 200',
    expected: '200',
    fix: "Declare the response '200'.",
    differs: ({ success, successes, responsesAt }) => {
      const actual = successes.length === 0 ? 'no 200' : `${successes.join(', ')} in place of 200`;
      return unless(success !== undefined, actual, responsesAt);
    },
  },
  schemaRule('other-success-schema', {
    whose: () => 'The 200 body',
    name: ({ responseSchema }) => responseSchema,
    holders: ({ success }) => [['', success]],
  }),
  {
    kind: 'further-success',
    statement: 'The operation declares a success beside 200',
    expected: '200 alone',
    fix: ({ successes }) => `Remove ${successes.join(', ')} from the responses.`,
    differs: ({ success, successes, responsesAt }) =>
      unless(success === undefined || successes.length === 0, successes.join(', '), responsesAt),
  },
  {
    kind: 'further-errors',
    statement: 'The operation declares errors beside the six',
    expected: 'none',
    fix: ({ errors }) => `Remove ${errors.slice(0, mostShown).join(', ')} from the responses.`,
    clause: 'further-statuses',
    differs: ({ errors, responsesAt }) =>
      unless(errors.length === 0, errors.slice(0, mostShown).join(', '), responsesAt),
  },
  {
    kind: 'missing-status',
    statement: (_, status) => `The operation does not declare ${status}`,
    expected: (_, status) => status,
    fix: (_, status) => `Declare the response '${status}' with the schema ${errorSchema}.`,
    differs: ({ operation, described, place, responsesAt }) =>
      errorsOf(operation).flatMap((subject) => {
        if (place.at('responses', subject)?.end !== undefined) return [];
        const range = responseAt(described, Number(subject))?.steps.at(-1);
        const actual =
          range === undefined ? `no ${subject}` : `only ${range}, which declares other statuses too`;
        return [{ subject, actual, at: responsesAt }];
      }),
  },
  schemaRule('other-error-schema', {
    whose: (status) => `The body of ${status}`,
    name: () => errorSchema,
    holders: ({ operation, place }) =>
      errorsOf(operation).map((status) => [status, place.at('responses', status)?.end]),
  }),
  {
    kind: 'retry-after',
    statement: 'A Retry-After header is declared for 429',
    expected: 'no header Retry-After',
    fix: 'Remove the header Retry-After from the response.',
    differs: ({ described }) =>
      (responseAt(described, 429)?.entries('headers') ?? [])
        .filter(([name]) => name.toLowerCase() === 'retry-after')
        .slice(0, 1)
        .map(([, { steps }]) => ({ actual: 'a header Retry-After', at: steps })),
  },
];

/** No difference where it holds. */
function unless(holds: boolean, actual: string, at: Steps): readonly Difference[] {
  return holds ? [] : [{ actual, at }];
}

function nameOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

function takesKey(security: Security): boolean {
  return !security.isAnonymous && security.withKey.length > 0;
}

/** For the operations that take a key and say so. */
function withKey(differs: ContractRule<OperationView>['differs']): ContractRule<OperationView>['differs'] {
  return (view) => (view.operation.auth === 'none' || !takesKey(view.security) ? [] : differs(view));
}

function errorsOf({ statuses }: Operation): readonly string[] {
  return statuses.filter((status) => status >= 400).map(String);
}

/** That bodies have the schema of a name. */
function schemaRule(
  kind: string,
  parts: {
    readonly whose: (subject: string) => string;
    readonly name: (operation: Operation) => string | undefined;
    readonly holders: (view: OperationView) => ReadonlyArray<readonly [string, Place | undefined]>;
  },
): ContractRule<OperationView> {
  const nameIn = ({ operation }: OperationView): string => parts.name(operation) ?? '';
  return {
    kind,
    statement: (view, subject) => `${parts.whose(subject)} is not a ${nameIn(view)}`,
    expected: nameIn,
    fix: (view) => `Write schema: { $ref: '#/components/schemas/${nameIn(view)}' } below application/json.`,
    differs: (view) =>
      parts.holders(view).flatMap(([subject, holder]) => {
        const name = nameIn(view);
        const actual = holder === undefined || name === '' ? undefined : otherSchema(holder, name);
        return actual === undefined ? [] : [{ subject, actual, at: holder?.steps ?? [] }];
      }),
  };
}

/** Headers that OpenAPI itself says are not parameters. */
const notParameters = new Set(['accept', 'content-type', 'authorization']);

function furtherParameters(described: DescribedOperation): readonly Place[] {
  return parametersOf(described).filter((listed) => {
    const { value } = listed.end ?? {};
    if (!isMembers(value) || value['in'] === 'path') return false;
    return value['in'] !== 'header' || !notParameters.has(String(value['name']).toLowerCase());
  });
}

/** An operationId that an operation beside the 25 uses a second time. */
function repeatedIds({ compiled, operations }: DocumentView): readonly Difference[] {
  const fixed = operations.filter(({ idIsOurs }) => !idIsOurs);
  const published = new Set(fixed.map((operation) => compiled.find(operation)?.place.value));
  const isPublished = ({ place }: DescribedOperation): boolean => published.has(place.value);
  const taken = new Map<string, DescribedOperation>();
  const all = compiled.operations;
  return [...all.filter(isPublished), ...all.filter((one) => !isPublished(one))].flatMap((described) => {
    const id = described.place.read('operationId');
    if (typeof id !== 'string') return [];
    const first = taken.get(id);
    if (first === undefined) {
      taken.set(id, described);
      return [];
    }
    // Another id at one of the 25 is a deviation of its own.
    if (isPublished(described) || first.place.value === described.place.value) return [];
    const subject = nameOf(described);
    const actual = `${id} at ${nameOf(first)} and at ${subject}`;
    return [{ subject, actual, at: [...described.place.steps, 'operationId'] }];
  });
}
