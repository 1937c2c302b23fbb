import { basename, isAbsolute, relative, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { baseUrlParts } from '../../harness/base-url-parts.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { usualLimit } from '../../harness/engine/plan-run.ts';
import type { RunOptions } from '../../harness/model/run-options.ts';
import type { SuppliedDocument } from '../../harness/model/supplied-document.ts';
import type { Target } from '../../harness/model/target.ts';
import { curlFlags } from '../../harness/results/curl-flags.ts';
import { type Profile, profiles } from '../../harness/sampling/profile.ts';
import { defaultOptions, fuzzRunsOf, politeRate } from '../../harness/target/default-options.ts';
import { parseHeader } from '../../harness/target/header-rules.ts';
import { nearestName } from '../../harness/target/nearest-name.ts';
import { targetFromObject } from '../../harness/target/target-from-object.ts';
import { overrideTarget, targetFromParts } from '../../harness/target/target-from-parts.ts';
import { UsageError } from '../../harness/usage-error.ts';
import type { Contract } from '../../spec/contract.ts';
import { bodyClasses } from '../../suites/request/unusual-forms.ts';
import { pathValues } from '../../suites/resource/path-values.ts';
import { refuseOtherHosts } from './allowed-hosts.ts';
import { numberFlag } from './number-flag.ts';
import { readPemFiles } from './pem-files.ts';
import { type ChosenProxy, proxyFromEnvironment } from './proxy-from-environment.ts';
import { refuseUnconnectable } from './refuse-unconnectable.ts';

/** The flags that say what is called and how, as commander gives them. */
export interface TargetFlags {
  readonly baseUrl?: string;
  /** Path of a target file; for programs also what would stand in one. */
  readonly target?: string | object;
  readonly key?: string;
  readonly unscopedKey?: string;
  readonly header?: readonly string[];
  readonly spec?: string;
  /** A folder with checks of the user. */
  readonly checks?: string;
  readonly profile?: Profile;
  readonly seed?: number;
  readonly maxRequests?: number;
  readonly fuzzRuns?: number;
  readonly rate?: number;
  readonly concurrency?: number;
  readonly timeout?: number;
  readonly operation?: readonly string[];
  readonly check?: readonly string[];
  readonly readOnly?: boolean;
  readonly shard?: string;
  readonly strict?: boolean;
  readonly certify?: boolean;
  readonly failIncomplete?: boolean;
  readonly provokeRateLimit?: boolean;
  readonly ca?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
  readonly insecure?: boolean;
  readonly unixSocket?: string;
  readonly http2?: boolean;
  readonly allowHost?: readonly string[];
  /** False for no custom checks. */
  readonly customChecks?: boolean;
  readonly userAgent?: string;
  readonly specFindings?: 'fail' | 'warn';
}

/** What the flags come down to. */
export interface Settings {
  readonly target: Target;
  readonly options: RunOptions;
  /** The platform's own OpenAPI document, where one was supplied. */
  readonly document?: SuppliedDocument;
  /** Absolute path of a folder with checks of the user. */
  readonly customChecks: string | undefined;
  /** The embedded service is the target. */
  readonly embedded: boolean;
  /** The target file as reports name it. */
  readonly targetFile: string | undefined;
  /** The proxy that the environment names for this target. */
  readonly proxy: ChosenProxy | undefined;
  /** The flags that were given, by flag or target file, without keys; stands in the report. */
  readonly given: Readonly<Record<string, unknown>>;
  /** A limit that a run against a conforming service does not reach, and the one where the user gives none. */
  readonly sufficient: number;
  /** Ends what was started to have a target. */
  readonly release: () => Promise<void>;
}

/** Adds the flags that say what is called and how. */
export function addTargetFlags(command: Command): Command {
  return command
    .option('--base-url <url>', 'where the service is, with the path prefix of a gateway if there is one')
    .option('--target <file>', 'target file (YAML or JSON): base URL, keys, known values, bodies')
    .option('--key <key>', 'key that holds catalog:read; better: environment variable COMMERCE_KEY')
    .option('--unscoped-key <key>', 'valid key without catalog:read; better: COMMERCE_KEY_UNSCOPED')
    .option(
      '--header <name: value...>',
      'sent with every request, for gateways in front of a staging environment',
    )
    .option('--spec <file or url>', "the platform's own OpenAPI document, which makes the checks exact")
    .option('--checks <dir>', 'folder of custom checks; see docs/custom-checks.md')
    .addOption(
      new Option(
        '--profile <name>',
        'quick: about 300 requests, up to 700 with --spec or where a service refuses what it may refuse; standard: about 2,000; deep: about 60,000, with 2,000 random inputs at each place',
      ).choices(profiles),
    )
    .option('--seed <n>', 'start of the random numbers', numberFlag('--seed', { integer: true, least: 0 }))
    .option(
      '--max-requests <n>',
      'maximum number of requests (default: twice what the profile plans; see plan)',
      numberFlag('--max-requests', { integer: true, least: 1 }),
    )
    .option(
      '--fuzz-runs <n>',
      `random values for each path parameter and each body (default: ${defaultOptions.fuzzRuns})`,
      numberFlag('--fuzz-runs', { integer: true, least: 0 }),
    )
    .option('--rate <n>', 'maximum requests per second', numberFlag('--rate', { least: 0.01 }))
    .option(
      '--concurrency <n>',
      'maximum concurrent requests',
      numberFlag('--concurrency', { integer: true, least: 1 }),
    )
    .option(
      '--timeout <ms>',
      'milliseconds until the harness gives up a request',
      numberFlag('--timeout', { integer: true, least: 1 }),
    )
    .option('--operation <glob...>', 'only operations whose id matches')
    .option('--check <glob...>', 'only checks whose id, or whose requirement, matches')
    .option(
      '--user-agent <text>',
      'User-Agent of all requests, for firewalls that block the name of the harness',
    )
    .addOption(
      new Option(
        '--spec-findings <outcome>',
        'whether deviations of your OpenAPI document fail the run or only warn (default: fail)',
      ).choices(['fail', 'warn']),
    )
    .option('--read-only', 'send no POST')
    .option('--ca <file>', 'PEM file of a further certificate authority to trust')
    .option('--client-cert <file>', 'PEM file of the client certificate')
    .option('--client-key <file>', 'PEM file of its private key')
    .option('--insecure', 'accept any certificate')
    .option('--unix-socket <path>', 'connect to this socket instead of the host of the base URL')
    .option(
      '--allow-host <host...>',
      'the only hosts that a target may have, such as staging.example.com or *.example.com',
    )
    .option('--no-custom-checks', 'load no custom checks, even if the target file names some')
    .option('--http2', 'try HTTP/2 first; by default only if the target refuses HTTP/1.1');
}

/** Reads target and options from flags, target file and environment; without either target, starts the embedded service. */
export async function readSettings(flags: TargetFlags, contract: Contract): Promise<Settings> {
  const { target, embedded, release } = await readTarget(flags, contract);
  try {
    refuseWhatHasNoEffect(target);
    const fromFile = target.options as TargetFlags;
    const given = { ...fromFile, ...withoutTarget(flags) };
    if (!embedded) refuseOtherHosts(flags.allowHost, target.baseUrl, target.options);
    if (given.certify === true && given.specFindings === 'warn') {
      throw new UsageError({
        where: '--spec-findings warn',
        what: 'a certified run holds the document against the contract',
        remedy: 'leave out --certify, or --spec-findings',
      });
    }
    const list = (value: unknown): readonly string[] =>
      value === undefined ? [] : ([value].flat() as string[]);
    await refuseUnconnectable(target.baseUrl, embedded, given);
    const proxy =
      embedded || given.unixSocket !== undefined
        ? undefined
        : proxyFromEnvironment(target.baseUrl, process.env);
    const customChecks = customChecksOf(flags, given.checks, target);
    const profile = given.profile ?? defaultOptions.profile;
    const document =
      given.spec === undefined ? undefined : await readDocument(given.spec, given.specFindings, contract);
    const effort = { profile, fuzzRuns: given.fuzzRuns ?? fuzzRunsOf[profile] };
    const sufficient = usualLimit(await loadCatalogue(customChecks), effort, document !== undefined);
    const options: RunOptions = {
      ...defaultOptions,
      ...effort,
      maxRequests: given.maxRequests ?? sufficient,
      // What a proxy calls localhost is another machine.
      rate: given.rate ?? (isLoopback(target.baseUrl) && proxy === undefined ? undefined : politeRate),
      seed: given.seed ?? defaultOptions.seed,
      concurrency: given.concurrency ?? defaultOptions.concurrency,
      timeoutMs: given.timeout ?? defaultOptions.timeoutMs,
      operations: list(given.operation),
      checks: list(given.check),
      readOnly: given.readOnly ?? false,
      strict: given.strict ?? false,
      certify: given.certify ?? false,
      provokeRateLimit: given.provokeRateLimit ?? false,
      insecure: given.insecure ?? false,
      unixSocket: given.unixSocket,
      http2: given.http2 ?? false,
      userAgent: given.userAgent,
      proxy: proxy?.url,
      curlFlags: curlFlags({ ...given, proxyVariable: proxy?.variable }),
      ...(await readPemFiles(given)),
    };
    return {
      target,
      options,
      customChecks,
      embedded,
      targetFile: typeof flags.target === 'string' ? reportedPath(flags.target) : undefined,
      proxy,
      given: withChecks(given, customChecks),
      release,
      ...(document && { document }),
      sufficient,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** A path without the folders of this machine: readers of a report need none of them. */
function reportedPath(path: string): string {
  const near = relative(process.cwd(), resolve(path));
  return near.startsWith('..') || isAbsolute(near) ? basename(path) : near;
}

function customChecksOf(flags: TargetFlags, folder: string | undefined, target: Target): string | undefined {
  if (flags.customChecks !== false) return folder === undefined ? target.customChecks : resolve(folder);
  if (flags.checks !== undefined)
    throw new UsageError({
      where: '--no-custom-checks',
      what: '--checks names custom checks',
      remedy: 'leave out one of the two',
    });
  if (target.customChecks !== undefined)
    process.stderr.write('The custom checks of the target file are not loaded: --no-custom-checks.\n');
  return undefined;
}

/** The document, with deviations as grave as the user asked for. */
async function readDocument(
  path: string,
  outcome: TargetFlags['specFindings'],
  contract: Contract,
): Promise<SuppliedDocument> {
  const { loadDocument } = await import('../../harness/openapi/load-document.ts');
  const document = await loadDocument(path, contract);
  if (outcome !== 'warn') return document;
  const deviations = document.deviations.map((one) => ({ clause: 'only-warned', ...one }));
  return { ...document, deviations };
}

/** What the target file says of them stands in the report as well. */
function withChecks(given: Settings['given'], customChecks: string | undefined): Settings['given'] {
  return customChecks === undefined ? given : { ...given, checks: basename(customChecks) };
}

function refuseWhatHasNoEffect({ exclusions }: Target): void {
  const known = [...new Set([...pathValues.map((value) => value.class), ...bodyClasses])];
  for (const { class: name } of exclusions) {
    if (known.includes(name)) continue;
    const nearest = nearestName(name, known);
    throw new UsageError({
      where: 'exclude',
      what: `there is no class of values ${name}`,
      remedy: nearest === undefined ? `one of ${known.join(', ')}` : `did you mean ${nearest}?`,
    });
  }
}

async function readTarget(
  flags: TargetFlags,
  contract: Contract,
): Promise<Pick<Settings, 'target' | 'embedded' | 'release'>> {
  const { env } = process;
  const nothing = async (): Promise<void> => undefined;
  const headers = (flags.header ?? []).map((text) => parseHeader(text, '--header'));
  if (flags.target === undefined && flags.baseUrl === undefined) {
    const { startEmbedded } = await import('../embedded-service.ts');
    const embedded = await startEmbedded(contract);
    return { ...embedded, target: overrideTarget(embedded.target, { headers }), embedded: true };
  }
  const keys = {
    scopedKey: flags.key ?? env['COMMERCE_KEY'],
    unscopedKey: flags.unscopedKey ?? env['COMMERCE_KEY_UNSCOPED'],
  };
  const origins = {
    scopedKey: flags.key === undefined ? 'COMMERCE_KEY' : '--key',
    unscopedKey: flags.unscopedKey === undefined ? 'COMMERCE_KEY_UNSCOPED' : '--unscoped-key',
  };
  if (flags.target === undefined) {
    const target = targetFromParts({ baseUrl: flags.baseUrl ?? '', ...keys, headers, origins });
    return { target, embedded: false, release: nothing };
  }
  const file =
    typeof flags.target === 'string'
      ? await readFileOf(flags.target, env, contract)
      : targetFromObject(flags.target, 'target', contract, env);
  const target = overrideTarget(file, {
    ...(flags.baseUrl === undefined ? {} : { baseUrl: flags.baseUrl }),
    // What the file says of a key stands, unless a flag says otherwise.
    scopedKey: flags.key ?? (file.keys.scoped === undefined ? keys.scopedKey : undefined),
    unscopedKey: flags.unscopedKey ?? (file.keys.unscoped === undefined ? keys.unscopedKey : undefined),
    headers,
    origins,
  });
  return { target, embedded: false, release: nothing };
}

/** Reads a target file; the parser of YAML is slow to load, and of no use where there is none. */
async function readFileOf(path: string, env: NodeJS.ProcessEnv, contract: Contract): Promise<Target> {
  const { readTargetFile } = await import('../../harness/target/target-file.ts');
  return readTargetFile(path, env, contract);
}

function withoutTarget(
  flags: TargetFlags,
): Omit<TargetFlags, 'baseUrl' | 'target' | 'key' | 'unscopedKey' | 'header' | 'allowHost' | 'customChecks'> {
  const {
    baseUrl: _baseUrl,
    target: _target,
    key: _key,
    unscopedKey: _unscopedKey,
    header: _header,
    allowHost: _allowHost,
    customChecks: _customChecks,
    ...rest
  } = flags;
  return rest;
}

/** Whether a base URL names this machine. */
function isLoopback(baseUrl: string): boolean {
  const { hostname } = baseUrlParts(baseUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}
