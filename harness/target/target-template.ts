import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import type { Contract } from '../../spec/contract.ts';
import type { OperationRole } from '../../spec/operation.ts';
import { withTexts } from '../fuzzing/json-places.ts';
import type { Capture, Json, Target } from '../model/target.ts';
import { readTargetText } from './target-document.ts';

/** A line of a section; without a value, it is a comment to fill in. */
export interface TemplateEntry {
  readonly name: string;
  readonly value?: Json;
  readonly comment: string;
}

/** The known content of a target file; absent parts become comments to fill in. */
export interface TemplateContent {
  readonly baseUrl?: string;
  readonly authorization?: string;
  /** Whether the environment has each key; `run` would refuse a line for a key that it lacks. */
  readonly keys?: { readonly scoped: boolean; readonly unscoped: boolean };
  /** Names of headers, whose values are read from the environment. */
  readonly headers?: readonly string[];
  readonly parameters?: readonly TemplateEntry[];
  readonly query?: readonly TemplateEntry[];
  readonly bodies?: readonly TemplateEntry[];
  readonly captures?: Readonly<Record<string, Capture>>;
  readonly options?: Readonly<Record<string, Json>>;
}

/** The target file that `init` writes; throws if reading it gives other content. */
export function targetTemplate(contract: Contract, content: TemplateContent, path: string): string {
  const text = textOf(contract, content);
  const env = Object.fromEntries(
    Array.from(text.matchAll(/(?<!\$)\$\{(\w+)\}/g), ([, name = '']) => [name, `value-of-${name}`]),
  );
  const wrong = (why: string): Error => new Error(`init would write a target file that run refuses: ${why}`);
  let target: Target;
  try {
    target = readTargetText(text, path, env, contract);
  } catch (error) {
    throw wrong((error as Error).message);
  }
  const { baseUrl = target.baseUrl, authorization = target.authorization } = content;
  const { headers = [], captures = {}, options = {} } = content;
  for (const [section, read, value] of [
    ['baseUrl', target.baseUrl, baseUrl],
    ['authorization', target.authorization, authorization],
    ['headers', target.headers.map(([name]) => name), headers],
    ['parameters', target.operationParameters, valuesOf(content.parameters)],
    ['query', target.query ?? {}, valuesOf(content.query)],
    ['bodies', target.bodies, valuesOf(content.bodies)],
    ['captures', target.captures, captures],
    ['options', target.options, options],
  ] as const) {
    if (!isDeepStrictEqual(read, value))
      throw wrong(`${section} is read as ${JSON.stringify(read)} in place of ${JSON.stringify(value)}`);
  }
  return text;
}

function valuesOf(entries: readonly TemplateEntry[] = []): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    entries.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Lines that start with `#` and a name are options to uncomment. */
function textOf(contract: Contract, content: TemplateContent): string {
  const { authorization, keys = { scoped: true, unscoped: true } } = content;
  const captures = Object.entries(content.captures ?? {}).map(([name, capture]) => ({
    name,
    value: { ...capture },
  }));
  const queryExamples = contract.withRoles('searches-products').map(({ id }) => `#  ${id}: { q: linen }`);
  const bodyExamples = exampleBodies.flatMap(([role, body]) =>
    contract.withRoles(role).map(({ id }) => `#  ${id}: ${body}`),
  );
  const captureExamples = [
    ...contract.operations.flatMap(({ issues }) =>
      issues === undefined ? [] : [`#  ${issues}: /data/${issues}`],
    ),
    ...contract
      .withRoles('initiates-login')
      .map(({ id }) => `#  loginState: { from: ${id}, pointer: /state }`),
  ];
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
${section('parameters', content.parameters, parameterExamples(contract))}

# Query parameters that an operation requires. The contract does not show those of six operations.
${section('query', content.query, queryExamples)}

# Valid request bodies. The contract does not show their fields, so the hosted operations cannot be tested without them.
# {name} is a captured value (below), {unique} a fresh value for each use.
${section('bodies', content.bodies, bodyExamples)}

# Values of a response that a later call needs, as a JSON Pointer into the body.
${section('captures', captures, captureExamples)}

# Values that the run never sends. Every report shows the reason.
#exclude:
#  - { class: very-long, parameter: slug, reason: the gateway cuts long paths }

# Values of your own that each run sends in addition, such as one that once broke production.
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

function parameterExamples(contract: Contract): readonly string[] {
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
    ...named,
    '  # For one operation, where the same name means something else.',
    ...(one === undefined ? [] : [`#  ${one.id}: { ${own.join(', ')} }`]),
  ];
}

const exampleBodies: ReadonlyArray<readonly [role: OperationRole, body: string]> = [
  ['creates-session', "{ merchant: atelier-nord, reference: 'check-{unique}' }"],
  ['ends-session', '{ reason: conformance }'],
  ['initiates-login', '{ merchant: atelier-nord }'],
  ['consumes-login', "{ state: '{loginState}', code: test-code }"],
];

/** A section with its entries, or with examples as comments. Comments of bodies stand above their lines. */
function section(
  title: string,
  entries: ReadonlyArray<Omit<TemplateEntry, 'comment'> & { readonly comment?: string }> = [],
  examples: readonly string[] = [],
): string {
  const lines = entries.flatMap(({ name, value, comment }) => {
    const line =
      value === undefined ? `#  ${flowYaml(name)}: { … }` : `  ${flowYaml(name)}: ${flowYaml(value)}`;
    if (comment === undefined) return [line];
    return title === 'bodies' ? [`  # ${comment}`, line] : [`${line}  # ${comment}`];
  });
  const isGiven = entries.some(({ value }) => value !== undefined);
  return [`${isGiven ? '' : '#'}${title}:`, ...(lines.length === 0 ? examples : lines)].join('\n');
}

function optionLines(options: TemplateContent['options'] = {}): string {
  const given = Object.entries(options).map(([name, value]) => ({ name, value }));
  const others = proposed.flatMap(([comment, ...lines]) => [
    `  # ${comment}`,
    ...lines
      .filter((line) => !Object.hasOwn(options, line.split(':', 1)[0] ?? ''))
      .map((line) => `#  ${line}`),
  ]);
  return [section('options', given), ...others].join('\n');
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

/** A value of a target file in one line, without references to the environment. */
export function flowYaml(value: Json): string {
  return stringify(literal(value), { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
}

function literal(value: Json): Json {
  return withTexts(value, (text) => text.replaceAll('${', () => '$${'));
}
