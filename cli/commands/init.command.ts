import { existsSync } from 'node:fs';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { parseBaseUrl } from '../../harness/target/base-url.ts';
import { parseHeader } from '../../harness/target/header-rules.ts';
import { type TemplateContent, targetTemplate, variableOf } from '../../harness/target/target-template.ts';
import type { CommandFlags } from '../../spec/command-options.ts';
import { type RunFlags, targetOptions } from '../../spec/options.ts';
import type { CommandDefinition } from '../command-list.ts';
import { describeSurvey, type FoundByAsking, withSurvey } from '../describe-survey.ts';
import { interruptible, type OnRun } from '../ending-signals.ts';
import { withSettings } from '../options/read-settings.ts';
import { existing, writeNewFile } from '../write-new-file.ts';

const { baseUrl, spec, key, unscopedKey, header, ca, clientCert, clientKey, insecure, unixSocket, readOnly } =
  targetOptions;

/** The flags that every later command needs too. */
const kept = ['spec', 'ca', 'clientCert', 'clientKey', 'unixSocket', 'insecure'] as const;

type InitFlags = RunFlags & CommandFlags<'init'>;

/** `init`: writes a commented target file with the values that the target itself reveals. */
export const command: CommandDefinition = {
  after: 'Example:\n  npx commerce-conformance init --base-url https://staging.example.com',
  options: {
    baseUrl: { ...baseUrl, help: 'URL of the service; without it, init sends nothing' },
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
  const { file, baseUrl, offline, force = false } = flags;
  const parsed = baseUrl === undefined ? {} : { baseUrl: parseBaseUrl(baseUrl, '--base-url') };
  // No request is sent if the answers could not be saved.
  if (!force && existsSync(file)) throw existing(file, { force });
  const asked = baseUrl === undefined || offline === true ? undefined : await ask(flags, onRun);
  const { contract } = await loadCatalogue();
  const text = targetTemplate(contract, { ...parsed, ...asked?.content }, file);
  await writeNewFile(file, text, { where: '--file', force });
  for (const line of asked?.said ?? []) process.stdout.write(`${line}\n`);
  const keys = [
    ['COMMERCE_KEY', flags.key],
    ['COMMERCE_KEY_UNSCOPED', flags.unscopedKey],
  ] as const;
  const unset = keys.filter(
    ([name, flag]) => asked === undefined || (flag !== undefined && process.env[name] === undefined),
  );
  const variables = [
    ...unset.map(([name]) => name),
    ...(flags.header ?? []).map((header) => variableOf(parseHeader(header, '--header')[0])),
  ];
  process.stdout.write(
    `Wrote ${file}. ${asked?.isComplete === true ? 'It is complete. Next:' : 'Fill in the missing values, then:'}\n` +
      (variables.length === 0 ? '' : `  export ${variables.map((name) => `${name}=…`).join(' ')}\n`) +
      `  npx commerce-conformance doctor --target ${file}\n  npx commerce-conformance run --target ${file}\n`,
  );
  return asked?.isReached === false ? 3 : 0;
}

function ask(flags: InitFlags, onRun: OnRun): Promise<FoundByAsking> {
  const { file: _file, force: _force, offline: _offline, ...target } = flags;
  return withSettings(target, (settings) =>
    withSurvey(settings, onRun, async (surveyed) => {
      const { contract } = await loadCatalogue();
      const found = describeSurvey(surveyed, contract);
      const { keys, headers } = settings.target;
      const content: TemplateContent = {
        ...found.content,
        keys: { scoped: keys.scoped !== undefined, unscoped: keys.unscoped !== undefined },
        headers: headers.map(([name]) => name),
        options: Object.fromEntries(kept.flatMap((name) => (flags[name] ? [[name, flags[name]]] : []))),
      };
      return { ...found, content };
    }),
  );
}
