import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { parseBaseUrl } from '../../harness/target/base-url.ts';
import { parseHeader } from '../../harness/target/header-rules.ts';
import { type TemplateContent, targetTemplate, variableOf } from '../../harness/target/target-template.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { writeAtomically } from '../../harness/write-atomically.ts';
import { escapeText } from '../../reporters/model/escape.ts';
import type { CommandFlags } from '../../spec/command-options.ts';
import { type RunFlags, targetOptions } from '../../spec/options.ts';
import type { CommandDefinition } from '../command-list.ts';
import { describeSurvey, type FoundByAsking } from '../describe-survey.ts';
import { interruptible, type OnRun } from '../ending-signals.ts';
import { readSettings } from '../options/read-settings.ts';
import { surveyTarget } from '../survey-target.ts';

/** `init`: writes a commented target file, with what the target itself has to say put in. */
const { baseUrl, spec, key, unscopedKey, header, ca, clientCert, clientKey, insecure, unixSocket, readOnly } =
  targetOptions;

type InitFlags = RunFlags & CommandFlags<'init'>;

export const initCommand: CommandDefinition = {
  after: 'Example:\n  npx commerce-conformance init --base-url https://staging.example.com',
  options: {
    baseUrl: { ...baseUrl, help: 'where the service is; without it, init sends nothing' },
    spec: { ...spec, help: "the platform's own OpenAPI document, for bodies and values" },
    key,
    unscopedKey,
    header: { ...header, help: 'sent with every request, for gateways in front of the service' },
    ca,
    clientCert,
    clientKey,
    insecure,
    unixSocket,
    readOnly: { ...readOnly, help: 'send GET requests only' },
  },
  run: (flags: InitFlags) => interruptible((onRun) => init(flags, onRun)),
};

async function init(flags: InitFlags, onRun: OnRun): Promise<number> {
  const { file, baseUrl, offline } = flags;
  if (baseUrl !== undefined) parseBaseUrl(baseUrl, '--base-url');
  // The target is not asked for what could not be kept.
  if (flags.force !== true && existsSync(file)) throw isThere(file);
  const asked = baseUrl === undefined || offline === true ? undefined : await ask(flags, onRun);
  const parsed = baseUrl === undefined ? {} : { baseUrl: parseBaseUrl(baseUrl, '--base-url') };
  const { contract } = await loadCatalogue();
  await write(flags, targetTemplate(contract, { ...parsed, ...asked?.content }, file));
  for (const line of asked?.said ?? []) process.stdout.write(`${line}\n`);
  const unset = (flags.header ?? []).map((text) => variableOf(parseHeader(text, '--header')[0]));
  const variables = [
    ...(asked === undefined || (flags.key !== undefined && process.env['COMMERCE_KEY'] === undefined)
      ? ['COMMERCE_KEY']
      : []),
    ...(asked === undefined ||
    (flags.unscopedKey !== undefined && process.env['COMMERCE_KEY_UNSCOPED'] === undefined)
      ? ['COMMERCE_KEY_UNSCOPED']
      : []),
    ...unset,
  ];
  process.stdout.write(
    `Wrote ${file}. ${asked?.isComplete === true ? 'It is complete. Next:' : 'Fill in the missing values, then:'}\n` +
      (variables.length === 0 ? '' : `  export ${variables.map((name) => `${name}=…`).join(' ')}\n`) +
      `  npx commerce-conformance doctor --target ${file}\n  npx commerce-conformance run --target ${file}\n`,
  );
  return asked?.isReached === false ? 3 : 0;
}

async function ask(flags: InitFlags, onRun: OnRun): Promise<FoundByAsking> {
  const { contract } = await loadCatalogue();
  const { file: _file, force: _force, offline: _offline, ...target } = flags;
  const settings = await readSettings(target, contract);
  try {
    const surveyed = await surveyTarget(settings, onRun);
    try {
      const found = describeSurvey(surveyed, contract);
      const kept: Partial<Record<'spec' | 'ca' | 'clientCert' | 'clientKey' | 'unixSocket', string>> = {};
      for (const name of ['spec', 'ca', 'clientCert', 'clientKey', 'unixSocket'] as const) {
        const value = flags[name];
        if (typeof value === 'string') kept[name] = value;
      }
      const content: TemplateContent = {
        ...found.content,
        keys: {
          scoped: settings.target.keys.scoped !== undefined,
          unscoped: settings.target.keys.unscoped !== undefined,
        },
        headers: settings.target.headers.map(([name]) => name),
        options: { ...kept, ...(flags.insecure === true ? { insecure: true } : {}) },
      };
      return { ...found, content };
    } finally {
      await surveyed.run.close();
    }
  } finally {
    await settings.release();
  }
}

async function write({ file, force }: Pick<InitFlags, 'file' | 'force'>, text: string): Promise<void> {
  try {
    await (force === true ? writeAtomically(file, text) : writeFile(file, text, { flag: 'wx' }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw isThere(file);
    throw new UsageError({
      where: '--file',
      what: `${escapeText(file)} cannot be written`,
      why: (error as Error).message,
      remedy: 'name a file that you may write',
    });
  }
}

function isThere(file: string): UsageError {
  return new UsageError({
    where: '--file',
    what: `${escapeText(file)} exists already`,
    remedy: 'name another file, or pass --force to replace it',
  });
}
