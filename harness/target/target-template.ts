import { stringify } from 'yaml';
import type { Contract } from '../../spec/contract.ts';
import type { OperationRole } from '../../spec/operation.ts';
import type { Capture, Json } from '../model/target.ts';

/** What is known of a target when its file is written; what is left out is written as a comment to fill in. */
export interface TemplateContent {
  readonly baseUrl?: string;
  readonly authorization?: string;
  /** Whether the environment has each key; a line for a key that it lacks would be refused. */
  readonly keys?: { readonly scoped: boolean; readonly unscoped: boolean };
  /** Names of headers, whose values are read from the environment. */
  readonly headers?: readonly string[];
  readonly parameters?: ReadonlyArray<{
    readonly operation: string;
    readonly values: Readonly<Record<string, string>>;
    readonly comment: string;
  }>;
  /** `values` is left out where the operation refuses a call without a query, and none is known. */
  readonly query?: ReadonlyArray<{
    readonly operation: string;
    readonly values?: Readonly<Record<string, string>>;
    readonly comment: string;
  }>;
  /** `body` is left out where none is known. */
  readonly bodies?: ReadonlyArray<{
    readonly operation: string;
    readonly body?: Json;
    readonly comment: string;
  }>;
  readonly captures?: Readonly<Record<string, Capture>>;
  readonly options?: Readonly<Record<string, Json>>;
}

/** The commented target file that `init` writes; lines that start with `#` and a name are options to uncomment. */
export function targetTemplate(contract: Contract, content: TemplateContent = {}): string {
  const { authorization, keys = { scoped: true, unscoped: true } } = content;
  return `# The target file. Only baseUrl is required. The harness discovers missing values where that is safe. Checks that lack
# a value are inconclusive and name the line to add. \${NAME} reads the environment.
# Try this file: npx commerce-conformance doctor --target <this file>

# Everything in front of /api/v1, including a path prefix.
${stringify({ baseUrl: literal(content.baseUrl ?? 'https://staging.example.com') }, { lineWidth: 0 }).trimEnd()}

# API keys, read from the environment so that this file holds none. Remove the line of a key that you do not have.
${keys.scoped || keys.unscoped ? '' : '#'}keys:
  # A valid key with the scope catalog:read.
${keys.scoped ? '' : '#'}  scoped: \${COMMERCE_KEY}
  # A valid key without catalog:read, to test that the service requires the scope.
${keys.unscoped ? '' : '#'}  unscoped: \${COMMERCE_KEY_UNSCOPED}

# The format of the Authorization header. The default is the bare key.
${authorization === undefined ? "#authorization: 'Bearer {key}'" : `authorization: ${flowYaml(authorization)}`}

# Headers of every request, for a gateway in front of the service.
${headerLines(content.headers)}

# Existing values of path parameters. Missing ones are taken from the listings.
${parameterLines(contract, content.parameters)}

# Query parameters that an operation requires. The contract does not show those of six operations.
${queryLines(contract, content.query)}

# Valid request bodies. The contract does not show their fields, so the hosted operations cannot be tested without them.
# {name} is a captured value (below), {unique} a fresh value for each use.
${bodyLines(contract, content.bodies)}

# Values of a response that a later call needs, as a JSON Pointer into the body.
${captureLines(contract, content.captures)}

# Values that the run never sends. Every report shows the reason.
#exclude:
#  - { class: very-long, parameter: slug, reason: the gateway cuts long paths }

# Values of your own that each run sends beside its own, such as one that once broke production.
#values:
#  - { in: slug, value: summer sale }

# Flags of run, in camelCase. Flags on the command line override them.
${optionLines(content.options)}
`;
}

function headerLines(names: readonly string[] | undefined): string {
  if (names === undefined || names.length === 0)
    return `#headers:
#  x-gateway-token: \${GATEWAY_TOKEN}`;
  return ['headers:', ...names.map((name) => `  ${flowYaml(name)}: \${${variableOf(name)}}`)].join('\n');
}

/** The environment variable from which a header is read. */
export function variableOf(header: string): string {
  return header.toUpperCase().replaceAll(/[^A-Z0-9]|^(?=\d)/g, '_');
}

const exampleValues = { product: 'linen-shirt', merchant: 'atelier-nord' } as const;

function parameterLines(contract: Contract, parameters: TemplateContent['parameters'] = []): string {
  if (parameters.length === 0) {
    const named = (['merchant', 'product'] as const).flatMap((kind) =>
      contract.parametersNaming(kind).map((name) => `#  ${name}: ${exampleValues[kind]}`),
    );
    const one = contract.operations.find(({ parameterKinds }) =>
      Object.keys(parameterKinds ?? {}).some((name) => !named.some((line) => line.startsWith(`#  ${name}:`))),
    );
    const own = Object.entries(one?.parameterKinds ?? {}).map(
      ([name, kind]) => `${name}: ${exampleValues[kind]}`,
    );
    return [
      '#parameters:',
      ...named,
      '  # For one operation, where the same name means something else.',
      ...(one === undefined ? [] : [`#  ${one.id}: { ${own.join(', ')} }`]),
    ].join('\n');
  }
  return [
    'parameters:',
    ...parameters.map(
      ({ operation, values, comment }) => `  ${operation}: ${flowYaml(values)}  # ${comment}`,
    ),
  ].join('\n');
}

function queryLines(contract: Contract, queries: TemplateContent['query'] = []): string {
  const lines = queries.map(({ operation, values, comment }) =>
    values === undefined
      ? `#  ${operation}: { … }  # ${comment}`
      : `  ${operation}: ${flowYaml(values)}  # ${comment}`,
  );
  const examples = contract.withRoles('searches-products').map(({ id }) => `#  ${id}: { q: linen }`);
  const isGiven = queries.some(({ values }) => values !== undefined);
  return [`${isGiven ? '' : '#'}query:`, ...(lines.length === 0 ? examples : lines)].join('\n');
}

const exampleBodies: ReadonlyArray<readonly [role: OperationRole, body: string]> = [
  ['creates-session', "{ merchant: atelier-nord, reference: 'check-{unique}' }"],
  ['ends-session', '{ reason: conformance }'],
  ['initiates-login', '{ merchant: atelier-nord }'],
  ['consumes-login', "{ state: '{loginState}', code: test-code }"],
];

function bodyLines(contract: Contract, bodies: TemplateContent['bodies'] = []): string {
  if (bodies.length === 0) {
    const examples = exampleBodies.flatMap(([role, body]) =>
      contract.withRoles(role).map(({ id }) => `#  ${id}: ${body}`),
    );
    return ['#bodies:', ...examples].join('\n');
  }
  return [
    `${bodies.some(({ body }) => body !== undefined) ? '' : '#'}bodies:`,
    ...bodies.flatMap(({ operation, body, comment }) => [
      `  # ${comment}`,
      body === undefined ? `#  ${operation}: { … }` : `  ${operation}: ${flowYaml(body)}`,
    ]),
  ].join('\n');
}

function captureLines(contract: Contract, captures: TemplateContent['captures'] = {}): string {
  const found = Object.entries(captures);
  if (found.length === 0) {
    const issued = contract.operations.flatMap(({ issues }) =>
      issues === undefined ? [] : [`#  ${issues}: /data/${issues}`],
    );
    const logins = contract
      .withRoles('initiates-login')
      .map(({ id }) => `#  loginState: { from: ${id}, pointer: /state }`);
    return ['#captures:', ...issued, ...logins].join('\n');
  }
  return [
    'captures:',
    ...found.map(([name, capture]) => `  ${flowYaml(name)}: ${flowYaml({ ...capture })}`),
  ].join('\n');
}

function optionLines(options: TemplateContent['options'] = {}): string {
  const given = Object.entries(options);
  return [
    given.length === 0 ? '#options:' : 'options:',
    ...given.map(([name, value]) => `  ${name}: ${flowYaml(value)}`),
    ...proposed.flatMap(([comment, ...lines]) => [
      `  # ${comment}`,
      ...lines
        .filter((line) => !Object.hasOwn(options, line.split(':', 1)[0] ?? ''))
        .map((line) => `#  ${line}`),
    ]),
  ].join('\n');
}

const proposed: ReadonlyArray<readonly string[]> = [
  ['Your OpenAPI document. It makes the checks of bodies exact.', 'spec: openapi.yaml'],
  [
    'A private certificate authority and a client certificate (PEM files).',
    'ca: ca.pem',
    'clientCert: client.pem',
    'clientKey: client.key',
  ],
  ['A Unix socket to connect to. Requests still name the host of baseUrl.', 'unixSocket: /run/service.sock'],
  ['Maximum requests per second.', 'rate: 25'],
  ['Send safe methods only (GET).', 'readOnly: true'],
];

/** A value of a target file in one line, with nothing that would be read from the environment. */
export function flowYaml(value: Json): string {
  return stringify(literal(value), { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
}

function literal(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(literal);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, literal(member as Json)]));
}
