import type { Contract, Operation } from '../../spec/contract.ts';
import type { Steps } from '../json-pointers.ts';
import type { DocumentDeviation, OpenApiDocument } from '../model/supplied-document.ts';
import { type CompiledDocument, compileDocument, errorSchema, responseAt } from './compile-document.ts';
import {
  type ContractRule,
  type Difference,
  documentRules,
  missingOperation,
  mostShown,
  offersExcluded,
  unless,
} from './document-rules.ts';
import { type DescribedOperation, namesIn, parametersOf, pathParameter } from './find-operation.ts';
import { isMembers, type Place } from './place.ts';
import {
  describeSchemes,
  extensionsMention,
  namesScope,
  oauthSchemes,
  rolesOf,
  securityOf,
  takesKey,
} from './read-security.ts';
import { otherSchema } from './schema-shape.ts';

/** All deviations of a document from the contract, those of the whole document first. */
export function compareWithContract(
  document: OpenApiDocument,
  { operations }: Pick<Contract, 'operations'>,
): readonly DocumentDeviation[] {
  const compiled = compileDocument(document);
  compiled.compileAll(operations);
  return [
    ...deviations(documentRules, { document, compiled, operations }),
    ...operations.flatMap((operation) => {
      const described = compiled.find(operation);
      return described === undefined
        ? deviations([missingOperation], { compiled, operation }, operation)
        : deviations(operationRules, viewOf(compiled, operation, described), operation);
    }),
  ];
}

function deviations<View>(
  rules: ReadonlyArray<ContractRule<View>>,
  view: View,
  operation?: Operation,
): readonly DocumentDeviation[] {
  return rules.flatMap(({ kind, statement, expected, fix, clause, read }) =>
    [read(view) ?? []].flat().map(({ actual, at, subject }) => {
      const facts: Readonly<Record<string, unknown>> = { ...operation, subject };
      const fill = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (_, name) => String(facts[name]));
      return {
        operation: operation?.id,
        kind: fill(kind).toLowerCase().replaceAll(' ', '-'),
        statement: fill(statement),
        expected: fill(expected),
        actual,
        fix: fill(fix),
        ...(clause === undefined ? {} : { clause }),
        at,
      };
    }),
  );
}

/** An operation of the contract beside its description. */
function viewOf(compiled: CompiledDocument, operation: Operation, described: DescribedOperation) {
  const { place } = described;
  const responses = place.at('responses');
  const isDeclared = (status: number): boolean => responses?.at(String(status)) !== undefined;
  // Interim responses (1XX) are not final.
  const others = (responses?.entries() ?? [])
    .map(([status]) => status)
    .filter((status) => /^(?:[2-5](?:\d\d|XX)|default)$/i.test(status))
    .filter((status) => !operation.statuses.map(String).includes(status));
  const isSuccess = (status: string): boolean => /^[23]/.test(status);
  // The rule on missing statuses reports a range in place of one.
  const isRange = (status: string): boolean => /^(?:default|4XX)$/i.test(status);
  const isComplete = operation.statuses.every(isDeclared);
  return {
    operation,
    described,
    place,
    security: securityOf(compiled.root, described),
    body: place.at('requestBody')?.end,
    success: responses?.at('200')?.end,
    /** Where the responses are, or belong. */
    responsesAt: responses?.steps ?? place.steps,
    /** Declared successes and errors that the contract does not name. */
    successes: others.filter(isSuccess),
    errors: others.filter((status) => !isSuccess(status) && (isComplete || !isRange(status))),
  };
}

type OperationRule = ContractRule<ReturnType<typeof viewOf>>;

const operationRules: readonly OperationRule[] = [
  {
    kind: 'other-operation-id',
    statement: 'The operation has another operationId than in the contract',
    expected: '{id}',
    fix: 'Write operationId: {id}.',
    read: ({ operation, place }) => {
      const id = place.read('operationId');
      const actual = id === undefined ? 'no operationId' : String(id);
      return unless(operation.idIsOurs || id === operation.id, actual, place.steps);
    },
  },
  {
    kind: 'parameter-not-a-string',
    statement: 'A path parameter is not declared as a string',
    expected: 'the path parameter {subject} as a string',
    fix: 'Declare { name: {subject}, in: path, required: true, schema: { type: string } }.',
    read: ({ described, place }) =>
      namesIn(described.path).flatMap((subject) => {
        const parameter = pathParameter(described, subject);
        if (parameter === undefined) return { subject, actual: 'not declared', at: place.steps };
        const types = [parameter.read('schema', 'type') ?? 'string'].flat();
        const actual = `of type ${types.join(', ')}`;
        return types.includes('string') ? [] : { subject, actual, at: parameter.steps };
      }),
  },
  {
    kind: 'swapped-parameters',
    statement: 'The path parameters are swapped',
    expected: '{path}',
    fix: 'Write the path as {path}.',
    read: ({ operation, described: { path, pathItem } }) => {
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
    read: ({ operation, described }) => {
      const further = operation.idIsOurs ? [] : furtherParameters(described);
      const names = further.map((one) => `${one.read('in')} parameter ${one.read('name')}`);
      const more = further.length > mostShown ? ` and ${further.length - mostShown} more` : '';
      return further[0] && { actual: names.slice(0, mostShown).join(', ') + more, at: further[0].steps };
    },
  },
  {
    kind: 'credentials-required',
    statement: 'The public operation requires credentials',
    expected: 'no security requirement',
    fix: 'Write security: [] at the operation.',
    read: ({ operation, security }) => {
      const holds = operation.auth !== 'none' || security.isAnonymous;
      return unless(holds, `security by ${describeSchemes(security, false)}`, security.at);
    },
  },
  {
    kind: 'key-not-in-authorization',
    statement: 'The operation does not take an API key in the Authorization header',
    expected: 'a security scheme of type http, or of type apiKey in the header Authorization',
    fix: 'Name a security scheme of type http, or of type apiKey in the header Authorization, in the security of the operation, without an empty alternative {}.',
    read: ({ operation, security }) => {
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
    read: whereKeyed(({ operation: { scope }, security, described: { place } }) => {
      const roles = rolesOf(security);
      const isAsked = roles.length > 0 || extensionsMention(place, 'catalog:read');
      return unless(scope !== undefined || !isAsked, roles.join(', ') || 'catalog:read', security.at);
    }),
  },
  {
    kind: 'scope-not-required',
    statement: 'The operation does not require the scope {scope}',
    expected: '{scope}',
    fix: "Add the scope to the security of the operation, as in security: [{ ApiKey: ['{scope}'] }].",
    read: whereKeyed(({ operation: { scope }, security, described }) => {
      const holds = scope === undefined || namesScope(security, described, scope);
      return unless(holds, rolesOf(security).join(', ') || 'no scope', security.at);
    }),
  },
  {
    kind: 'further-scope',
    statement: 'The operation requires another scope in addition to {scope}',
    expected: '{scope}',
    fix: 'Remove every scope except {scope} from the security of the operation.',
    read: whereKeyed(({ operation: { scope }, security, described }) => {
      const roles = rolesOf(security);
      const isNamed = scope !== undefined && namesScope(security, described, scope);
      return unless(!isNamed || roles.every((role) => role === scope), roles.join(', '), security.at);
    }),
  },
  {
    ...offersExcluded,
    read: ({ security, described: { place } }) =>
      oauthSchemes(security).map((scheme) => ({ subject: 'OAuth', actual: scheme, at: place.steps })),
  },
  {
    kind: 'further-request-body',
    statement: 'The operation declares a request body',
    expected: 'no requestBody',
    fix: 'Remove requestBody from the operation.',
    read: ({ operation, body, place }) => {
      const holds = body === undefined || operation.idIsOurs || operation.requestSchema !== undefined;
      return unless(holds, 'a requestBody', (body ?? place).steps);
    },
  },
  {
    kind: 'optional-request-body',
    statement: 'The operation does not require its request body',
    expected: 'requestBody with required: true',
    fix: 'Write a requestBody with required: true and the schema {requestSchema}.',
    read: ({ operation, body, place }) => {
      const holds = operation.requestSchema === undefined || body?.read('required') === true;
      const actual = body === undefined ? 'no requestBody' : 'an optional requestBody';
      return unless(holds, actual, (body ?? place).steps);
    },
  },
  {
    kind: 'other-request-schema',
    ...schemaTexts('The request body', '{requestSchema}'),
    read: ({ operation, body }) => schemaDifference(body, operation.requestSchema),
  },
  {
    kind: 'missing-status',
    statement: 'The operation does not declare 200',
    expected: '200',
    fix: "Declare the response '200'.",
    read: ({ success, successes, responsesAt }) => {
      const actual = successes.length === 0 ? 'no 200' : `${successes.join(', ')} in place of 200`;
      return unless(success !== undefined, actual, responsesAt);
    },
  },
  {
    kind: 'other-success-schema',
    ...schemaTexts('The 200 body', '{responseSchema}'),
    read: ({ operation, success }) => schemaDifference(success, operation.responseSchema),
  },
  {
    kind: 'further-success',
    statement: 'The operation declares a success status other than 200',
    expected: '200 alone',
    fix: 'Remove {subject} from the responses.',
    read: ({ success, successes, responsesAt }) => furtherStatuses(success && successes, responsesAt),
  },
  {
    kind: 'further-errors',
    statement: 'The operation declares error statuses other than the six',
    expected: 'none',
    fix: 'Remove {subject} from the responses.',
    clause: 'further-statuses',
    read: ({ errors, responsesAt }) => furtherStatuses(errors.slice(0, mostShown), responsesAt),
  },
  {
    kind: 'missing-status',
    statement: 'The operation does not declare {subject}',
    expected: '{subject}',
    fix: `Declare the response '{subject}' with the schema ${errorSchema}.`,
    read: ({ operation, described, place, responsesAt }) =>
      errorsOf(operation).flatMap((subject) => {
        if (place.at('responses', subject)?.end !== undefined) return [];
        const range = responseAt(described, Number(subject))?.steps.at(-1);
        const actual =
          range === undefined ? `no ${subject}` : `only ${range}, which declares other statuses too`;
        return { subject, actual, at: responsesAt };
      }),
  },
  {
    kind: 'other-error-schema',
    ...schemaTexts('The body of {subject}', errorSchema),
    read: ({ operation, place }) =>
      errorsOf(operation).flatMap((subject) => {
        const different = schemaDifference(place.at('responses', subject)?.end, errorSchema);
        return different === undefined ? [] : { ...different, subject };
      }),
  },
  {
    kind: 'retry-after',
    statement: 'A Retry-After header is declared for 429',
    expected: 'no header Retry-After',
    fix: 'Remove the header Retry-After from the response.',
    read: ({ described }) => {
      const headers = responseAt(described, 429)?.entries('headers') ?? [];
      const [, header] = headers.find(([name]) => name.toLowerCase() === 'retry-after') ?? [];
      return header && { actual: 'a header Retry-After', at: header.steps };
    },
  },
];

function errorsOf({ statuses }: Operation): readonly string[] {
  return statuses.filter((status) => status >= 400).map(String);
}

function furtherStatuses(statuses: readonly string[] = [], at: Steps): Difference | undefined {
  const subject = statuses.join(', ');
  return subject === '' ? undefined : { subject, actual: subject, at };
}

/** The texts of a rule that a body must have the schema of this name. */
function schemaTexts(
  body: string,
  name: string,
): Pick<ContractRule<unknown>, 'statement' | 'expected' | 'fix'> {
  return {
    statement: `${body} is not a ${name}`,
    expected: name,
    fix: `Write schema: { $ref: '#/components/schemas/${name}' } below application/json.`,
  };
}

function schemaDifference(holder: Place | undefined, name: string | undefined): Difference | undefined {
  const actual = holder && name && otherSchema(holder, name);
  return holder && actual ? { actual, at: holder.steps } : undefined;
}

/** Headers that are no parameters according to OpenAPI. */
const notParameters = new Set(['accept', 'content-type', 'authorization']);

function furtherParameters(described: DescribedOperation): readonly Place[] {
  return parametersOf(described).filter((listed) => {
    const { value } = listed.end ?? {};
    if (!isMembers(value) || value['in'] === 'path') return false;
    return value['in'] !== 'header' || !notParameters.has(String(value['name']).toLowerCase());
  });
}

/** Limits a rule to operations that take a key and say so. */
function whereKeyed(read: OperationRule['read']): OperationRule['read'] {
  return (view) => (view.operation.auth !== 'none' && takesKey(view.security) ? read(view) : undefined);
}
