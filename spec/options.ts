// The one table of options. The command line, the schema and the guide of target files, the programmatic interface and the rules
// of certificates derive from it; the build writes the schema, `npm run docs` the guide.

import { inWords, usualRequests } from './usual-requests.ts';

const { quick, standard, deep, most } = usualRequests;

/** One option; its flag is its name, as `--fuzz-runs` for `fuzzRuns`. */
export interface OptionRow {
  /** The value that the help shows after the flag; absent for true or false, and for `<n>`. */
  readonly value?: string;
  /** Whether the flag begins with `--no-`. */
  readonly isNegated?: true;
  /** Absent for text, and for true or false. */
  readonly type?: 'filled' | 'day' | 'texts' | 'lists' | 'integer' | 'number';
  readonly choices?: readonly string[];
  readonly least?: number;
  readonly pattern?: string;
  readonly required?: true;
  readonly default?: string | number;
  /** The default in words, where it depends on something. */
  readonly usual?: string;
  /** The help text, to which the help adds the default; code is in backticks, which only the guide shows. */
  readonly help: string;
  /** The text of schema and guide, if it differs. */
  readonly about?: string;
  /** The page of docs/ that says more. */
  readonly guide?: string;
  /** A value that error messages and the schema show. */
  readonly example?: string | number | readonly string[];
  /** The only places where it may be set: the command line, or also a target file. Absent if programs may set it too. */
  readonly only?: 'flag' | 'file';
  /** Its place in a target file, if not below `options` under its name. */
  readonly inFile?: string;
  /** Environment variable that sets it. */
  readonly env?: string;
  /** Absent from the report: it is secret, or says where private files are. */
  readonly recorded?: false;
  /** Why it prevents a certificate: with any value, one value or low numbers; `only` if just a certified run takes it. */
  readonly certificate?:
    | 'only'
    | { readonly because: string; readonly value?: string; readonly under?: number };
}

export type OptionRows = Readonly<Record<string, OptionRow>>;

type ValueOf<Row> = Row extends { readonly choices: ReadonlyArray<infer Choice> }
  ? Choice
  : Row extends { readonly type: 'integer' | 'number' }
    ? number
    : Row extends { readonly type: 'texts' | 'lists' }
      ? readonly string[]
      : Row extends { readonly value: string }
        ? string
        : boolean;

/** The values of optional options. */
type Values<Rows> = { readonly [Name in keyof Rows]?: ValueOf<Rows[Name]> };

/** The values of options; those that are required or have a default are always set. */
export type Flags<Rows> = Values<Rows> & {
  readonly [Name in keyof Rows as Rows[Name] extends
    | { readonly required: true }
    | { readonly default: unknown }
    ? Name
    : never]: ValueOf<Rows[Name]>;
};

/** The values of options that programs may set. */
export type InterfaceValues<Rows> = {
  readonly [Name in keyof Rows as Rows[Name] extends { readonly only: string } ? never : Name]?: ValueOf<
    Rows[Name]
  > extends readonly string[]
    ? string | readonly string[]
    : ValueOf<Rows[Name]>;
};

/** The options of every command that sends requests to a target. */
export const targetOptions = {
  baseUrl: {
    value: '<url>',
    help: 'URL of the service, including the path prefix of a gateway',
    inFile: 'baseUrl',
    recorded: false,
    only: 'flag',
  },
  target: {
    value: '<file>',
    help: 'target file (YAML or JSON): base URL, keys, known values, bodies',
    recorded: false,
    only: 'flag',
  },
  key: {
    value: '<key>',
    help: 'key with the scope catalog:read; better: the environment variable COMMERCE_KEY',
    inFile: 'keys.scoped',
    env: 'COMMERCE_KEY',
    recorded: false,
    only: 'flag',
  },
  unscopedKey: {
    value: '<key>',
    help: 'valid key without catalog:read; better: the environment variable COMMERCE_KEY_UNSCOPED',
    inFile: 'keys.unscoped',
    env: 'COMMERCE_KEY_UNSCOPED',
    recorded: false,
    only: 'flag',
  },
  header: {
    value: '<name: value...>',
    type: 'texts',
    help: 'sent with every request, for gateways in front of a staging environment',
    inFile: 'headers',
    recorded: false,
    only: 'flag',
  },
  spec: {
    value: '<file or url>',
    help: 'your OpenAPI document, as file or URL; makes the checks exact',
    example: 'openapi.yaml',
  },
  checks: {
    value: '<dir>',
    help: 'folder of custom checks; see docs/custom-checks.md',
    inFile: 'checks',
    certificate: { because: 'adds to the contract, and a certificate covers only the contract' },
    only: 'flag',
  },
  profile: {
    value: '<name>',
    choices: ['quick', 'standard', 'deep'],
    default: 'standard',
    help: `quick: about ${inWords(quick.plain)} requests, up to ${inWords(most.quick)} with --spec or where a service refuses what it may refuse; standard: about ${inWords(standard.plain)}; deep: about ${inWords(deep.plain)}, with 2,000 random inputs at each place` as string,
    about: 'how thorough the run is: `quick`, `standard` or `deep`',
    guide: 'fuzzing.md#profiles',
    example: 'quick',
    certificate: { value: 'quick', because: 'leaves out checks' },
  },
  seed: {
    type: 'integer',
    least: 0,
    default: 1,
    help: 'start of the random numbers: the same seed sends the same requests',
    example: 7,
  },
  maxRequests: {
    type: 'integer',
    least: 1,
    usual: 'twice what the profile plans; see plan',
    help: 'maximum number of requests',
    example: 2000,
  },
  fuzzRuns: {
    type: 'integer',
    least: 0,
    default: 2,
    help: 'random values for each path parameter and each body',
    example: 100,
    certificate: { under: 2, because: 'is less than 2' },
  },
  rate: {
    type: 'number',
    least: 0.01,
    usual: '25; on loopback none',
    help: 'maximum requests per second, on average',
    example: 25,
    // Below, hardly any calls overlap, as no more start together than a second allows.
    certificate: {
      under: 4,
      because: 'is below 4, or below 4 for each shard: too few calls overlap to show races',
    },
  },
  concurrency: {
    type: 'integer',
    least: 1,
    default: 8,
    help: 'maximum concurrent requests; in a deep run, some crowds are five times as large',
    example: 4,
    // The default: checks for races rely on it, and a slow service needs a lower rate instead.
    certificate: {
      under: 8,
      because: 'is below 8, the default, or below 8 for each shard (for a slow service, lower --rate)',
    },
  },
  timeout: {
    value: '<ms>',
    type: 'integer',
    least: 1,
    default: 10_000,
    help: 'milliseconds after which the harness gives up on a request',
    example: 10_000,
  },
  operation: {
    value: '<glob...>',
    type: 'texts',
    usual: 'all',
    help: 'globs: only operations whose id matches',
    example: ['*Hosted*'],
    certificate: { because: 'leaves out operations' },
  },
  check: {
    value: '<glob...>',
    type: 'texts',
    usual: 'all',
    help: 'globs: only checks whose id, or whose requirement, matches',
    example: ['auth/*'],
    certificate: { because: 'leaves out checks' },
  },
  userAgent: {
    value: '<text>',
    usual: 'name and version of the harness',
    help: '`User-Agent` of all requests, for firewalls that block the name of the harness',
    pattern: '^[ -~]+$',
    example: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  },
  specFindings: {
    value: '<outcome>',
    choices: ['fail', 'warn'],
    default: 'fail',
    help: 'whether deviations of your OpenAPI document fail the run or only `warn`, so that the service alone decides the verdict; with `strict` they fail',
    certificate: { value: 'warn', because: 'lets deviations of the document pass' },
  },
  readOnly: { help: 'send no POST', certificate: { because: 'leaves out every POST' } },
  ca: {
    value: '<file>',
    help: 'PEM file of an additional certificate authority to trust',
    guide: 'target-file.md',
    example: 'ca.pem',
  },
  clientCert: { value: '<file>', help: 'PEM file of the client certificate', example: 'client.pem' },
  clientKey: {
    value: '<file>',
    help: 'PEM file of the private key of the client certificate',
    example: 'client.key',
  },
  insecure: { help: 'accept any certificate' },
  unixSocket: {
    value: '<path>',
    help: 'connect to this socket instead of the host of the base URL',
    example: '/run/service.sock',
  },
  allowHost: {
    value: '<host...>',
    type: 'texts',
    help: 'the only hosts that a target may have, such as staging.example.com or *.example.com',
    recorded: false,
    only: 'flag',
  },
  customChecks: {
    isNegated: true,
    help: 'load no custom checks, even if the target file names some',
    recorded: false,
    only: 'flag',
  },
  http2: { help: 'try HTTP/2 first; by default only if the target refuses HTTP/1.1' },
} as const;

/** The options of `run` and `merge` that concern the report. */
export const reportOptions = {
  reportDir: {
    value: '<dir>',
    default: 'conformance-report',
    help: 'folder of the report',
    only: 'file',
    example: 'conformance-report',
  },
  format: {
    value: '<list>',
    type: 'lists',
    usual: 'html; in GitHub Actions also markdown',
    help: 'formats to write in addition to `report.json`: html, junit, markdown, badge, allure; comma-separated or repeated',
    guide: 'reports.md',
    only: 'file',
    example: ['html', 'junit'],
  },
  baseline: {
    value: '<file>',
    help: 'file of accepted findings; other findings and stale or expired entries fail',
    guide: 'gating-a-release.md',
    example: 'baseline.yaml',
    certificate: { because: 'accepts findings' },
  },
  failIncomplete: {
    help: 'exit code 3 if a `must` case was not tested, even with a baseline',
    guide: 'gating-a-release.md',
  },
  certify: {
    help: 'no verdict unless every `must` was tested; writes `certificate.json` if the service conforms',
    guide: 'certifying.md',
    only: 'file',
  },
  signKey: {
    value: '<file>',
    help: 'PEM file of the Ed25519 key that signs the certificate; see keygen',
    recorded: false,
    certificate: 'only',
    only: 'flag',
  },
  certificateDays: {
    type: 'integer',
    least: 1,
    default: 90,
    help: 'days for which the certificate is valid',
    certificate: 'only',
    only: 'flag',
  },
  development: { help: 'certify a service on loopback, as a rehearsal', certificate: 'only', only: 'flag' },
  quiet: { help: 'show only the verdict and the findings in the terminal', only: 'file' },
} as const;

export const runOptions = {
  shard: {
    value: '<i/n>',
    help: 'run only part i of n, such as `2/4`, for `merge`',
    guide: 'continuous-integration.md',
    only: 'file',
    pattern: '^[1-9][0-9]*/[1-9][0-9]*$',
    example: '1/4',
    certificate: { because: 'runs only a part: pass --certify to merge' },
  },
  provokeRateLimit: {
    help: 'at the end, send a burst to each operation until it throttles: up to 1,360 additional requests',
  },
  strict: { help: 'a violated `should` also fails the run' },
  challenge: {
    value: '<file>',
    help: 'challenge of a programme owner, which the certificate answers',
    recorded: false,
    certificate: 'only',
    only: 'flag',
  },
  allowProxy: {
    value: '<origin>',
    help: 'proxy that a certified run may use',
    certificate: 'only',
    only: 'flag',
  },
  evidence: { isNegated: true, help: 'do not record the exchanges in evidence.har', only: 'flag' },
} as const;

export const commonOptions = {
  color: { isNegated: true, help: 'no colours in the terminal', only: 'file', inFile: 'options.noColor' },
} as const;

export const optionTable: typeof targetOptions &
  typeof reportOptions &
  typeof runOptions &
  typeof commonOptions = { ...targetOptions, ...reportOptions, ...runOptions, ...commonOptions };

/** The options of a run as flags or a target file set them; programs may also give a target description. */
export type RunFlags = Omit<Values<typeof optionTable>, 'target'> & { readonly target?: string | object };

export const optionRows: ReadonlyArray<readonly [string, OptionRow]> = Object.entries(optionTable);

export function flagOf(name: string, { isNegated }: OptionRow): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `--${isNegated === true ? 'no-' : ''}${words}`;
}

/** The options of a run that its report shows. */
export function reportedOptions(flags: RunFlags): Partial<RunFlags> {
  const hidden = new Set(optionRows.filter(([, row]) => row.recorded === false).map(([name]) => name));
  return Object.fromEntries(Object.entries(flags).filter(([name]) => !hidden.has(name)));
}

/** Whether a report may state an option with this value. */
export function mayBeStated(name: string, given: unknown): boolean {
  // The name of `color` in a target file.
  if (name === 'noColor') return typeof given === 'boolean';
  const [, row] = optionRows.find(([one]) => one === name) ?? [];
  if (row === undefined || row.recorded === false) return false;
  const { value, type, choices, least = 0 } = row;
  if (type === 'integer' || type === 'number')
    return typeof given === 'number' && given >= least && (type === 'number' || Number.isInteger(given));
  if (type === 'texts' || type === 'lists') return [given].flat().every((one) => typeof one === 'string');
  if (choices !== undefined) return choices.some((one) => one === given);
  return typeof given === (value === undefined ? 'boolean' : 'string');
}
