import { basename, isAbsolute, relative, resolve } from 'node:path';
import picomatch from 'picomatch';
import { type Catalogue, loadCatalogue } from '../../harness/checks/catalogue.ts';
import { plannedCases } from '../../harness/engine/run/plan.ts';
import { type PlannedRun, planRun } from '../../harness/engine/run/plan-run.ts';
import type { RunInput } from '../../harness/engine/run/run.ts';
import { settledOptions } from '../../harness/engine/run/stated-options.ts';
import type { SuppliedDocument } from '../../harness/model/supplied-document.ts';
import type { Target } from '../../harness/model/target.ts';
import { parseHeader } from '../../harness/target/header-rules.ts';
import { unknownName } from '../../harness/target/nearest-name.ts';
import {
  overrideTarget,
  targetFromObject,
  targetFromParts,
} from '../../harness/target/target-description.ts';
import { readTargetFile } from '../../harness/target/target-document.ts';
import { UsageError } from '../../harness/usage-error.ts';
import type { Contract } from '../../spec/contract.ts';
import { optionTable, type RunFlags, reportedOptions } from '../../spec/options.ts';
import { bodyClasses } from '../../suites/request/unusual-forms.ts';
import { pathValues } from '../../suites/resource/path-values.ts';
import { readPemFiles } from './pem-files.ts';
import { type ChosenProxy, proxyFromEnvironment } from './proxy-from-environment.ts';
import { refuseOtherHosts, refuseUnconnectable } from './refuse-ways.ts';

/** The target and the options that flags, target file and environment set. */
export interface Settings extends Pick<RunInput, 'target' | 'options' | 'document'> {
  /** Absolute path of a folder with checks of the user. */
  readonly customChecks: string | undefined;
  readonly embedded: boolean;
  /** The target file as reports name it. */
  readonly targetFile: string | undefined;
  /** The proxy that the environment names for this target. */
  readonly proxy: ChosenProxy | undefined;
  /** The given flags, from command line or target file, without keys; for the report. */
  readonly given: Readonly<Record<string, unknown>>;
  /** A limit that a run against a conforming service does not reach, and the one where the user gives none. */
  readonly sufficient: number;
  /** Stops the embedded service, if it is the target. */
  readonly release: () => Promise<void>;
}

/** Reads the settings, uses them, and then stops the embedded service if it is the target. */
export async function withSettings<T>(flags: RunFlags, use: (settings: Settings) => Promise<T>): Promise<T> {
  const settings = await readSettings(flags);
  try {
    return await use(settings);
  } finally {
    await settings.release();
  }
}

/** Reads target and options from flags, target file and environment; without either target, starts the embedded service. */
export async function readSettings(flags: RunFlags): Promise<Settings> {
  const { contract } = await loadCatalogue();
  const { target, embedded, release } = await readTarget(flags, contract);
  try {
    refuseWhatHasNoEffect(target);
    const fromFile = target.options as RunFlags;
    const given: Partial<RunFlags> = { ...fromFile, ...reportedOptions(flags) };
    if (!embedded) refuseOtherHosts(flags.allowHost, target.baseUrl, target.options);
    await refuseUnconnectable(target.baseUrl, embedded, given);
    const proxy =
      embedded || given.unixSocket !== undefined
        ? undefined
        : proxyFromEnvironment(target.baseUrl, process.env);
    const customChecks = customChecksOf(flags, given.checks, target);
    const document = await readDocument(given, contract);
    const { options, sufficient } = settledOptions(given, {
      catalogue: await loadCatalogue(customChecks),
      baseUrl: target.baseUrl,
      proxy,
      hasDocument: document !== undefined,
    });
    return {
      target,
      options: { ...options, proxy: proxy?.url, ...(await readPemFiles(given)) },
      customChecks,
      embedded,
      targetFile: typeof flags.target === 'string' ? reportedPath(flags.target) : undefined,
      proxy,
      // The report names custom checks of the target file too.
      given: { ...given, ...(customChecks !== undefined && { checks: basename(customChecks) }) },
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

function customChecksOf(flags: RunFlags, folder: string | undefined, target: Target): string | undefined {
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
async function readDocument(given: RunFlags, contract: Contract): Promise<SuppliedDocument | undefined> {
  if (given.spec === undefined) return undefined;
  const { loadDocument } = await import('../../harness/openapi/load-document.ts');
  const document = await loadDocument(given.spec, contract);
  if (given.specFindings !== 'warn') return document;
  const deviations = document.deviations.map((one) => ({ clause: 'only-warned', ...one }));
  return { ...document, deviations };
}

function refuseWhatHasNoEffect({ exclusions }: Target): void {
  const known = [...new Set([...pathValues.map((value) => value.class), ...bodyClasses])];
  for (const { class: name } of exclusions) {
    if (known.includes(name)) continue;
    const what = `there is no class of values ${name}`;
    throw unknownName(
      { where: 'exclude', what, why: 'docs/target-file.md lists the classes' },
      name,
      known,
      `one of ${known.join(', ')}`,
    );
  }
}

async function readTarget(
  flags: RunFlags,
  contract: Contract,
): Promise<Pick<Settings, 'target' | 'embedded' | 'release'>> {
  const headers = (flags.header ?? []).map((text) => parseHeader(text, '--header'));
  if (flags.target === undefined && flags.baseUrl === undefined) {
    const { startService } = await import('../../fixtures/reference-service/start-service.ts');
    const service = await startService();
    const target = targetFromObject(service.target, 'the embedded reference service', contract);
    return { target: overrideTarget(target, { headers }), embedded: true, release: () => service.close() };
  }
  return {
    target: await namedTarget(flags, headers, contract),
    embedded: false,
    release: async () => undefined,
  };
}

/** The target of a target file, of flags and the environment, or of both. */
async function namedTarget(flags: RunFlags, headers: Target['headers'], contract: Contract): Promise<Target> {
  const { env } = process;
  const { key, unscopedKey } = optionTable;
  const scoped = flags.key ?? env[key.env];
  const unscoped = flags.unscopedKey ?? env[unscopedKey.env];
  const origins = {
    scopedKey: flags.key === undefined ? key.env : '--key',
    unscopedKey: flags.unscopedKey === undefined ? unscopedKey.env : '--unscoped-key',
  };
  if (flags.target === undefined) {
    const { baseUrl = '' } = flags;
    return targetFromParts({ baseUrl, scopedKey: scoped, unscopedKey: unscoped, headers, origins });
  }
  const file =
    typeof flags.target === 'string'
      ? await readTargetFile(flags.target, env, contract)
      : targetFromObject(flags.target, 'target', contract, env);
  return overrideTarget(file, {
    ...(flags.baseUrl === undefined ? {} : { baseUrl: flags.baseUrl }),
    // The file overrides the environment, and a flag overrides the file.
    scopedKey: flags.key ?? (file.keys.scoped === undefined ? scoped : undefined),
    unscopedKey: flags.unscopedKey ?? (file.keys.unscoped === undefined ? unscoped : undefined),
    headers,
    origins,
  });
}

/** Plans the cases that the settings select; refuses globs that match nothing, because an empty run must not look like a clean one. */
export async function planSettings(
  settings: Settings,
): Promise<PlannedRun & { readonly catalogue: Catalogue }> {
  const catalogue = await loadCatalogue(settings.customChecks);
  const { contract, checks } = catalogue;
  const operations = contract.operations.map(({ id }) => id);
  const names = [...new Set(checks.flatMap(({ id, requirement }) => [id, requirement]))];
  for (const [where, globs, all, otherwise] of [
    ['--operation', settings.options.operations, operations, `one of ${operations.join(', ')}`],
    ['--check', settings.options.checks, names, 'see: npx commerce-conformance checks'],
  ] as const) {
    const glob = globs.find((one) => !all.some((name) => picomatch.isMatch(name, one, { nocase: true })));
    if (glob !== undefined)
      throw unknownName({ where, what: `nothing matches ${glob}` }, glob, all, otherwise);
  }
  const planned = planRun(catalogue, settings);
  // Globs may match something each, and nothing together.
  if (plannedCases(planned.whole).length > 0) return { catalogue, ...planned };
  throw new UsageError({
    where: '--operation, --check',
    what: 'none of these checks applies to any of these operations',
    remedy: 'see which operations a check applies to: npx commerce-conformance explain CHECK',
  });
}
