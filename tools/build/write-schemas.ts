import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OptionRow, optionRows, optionTable } from '../../spec/options.ts';
import { packageRoot } from '../../spec/package-root.ts';
import { type Schema, schemaOfType } from './schema-of-type.ts';

/** The schemas of our own files: their name, title, and the type that they describe. */
const written: ReadonlyArray<readonly [name: string, title: string, type: string, source: string]> = [
  ['target', 'Target file of commerce-conformance', 'TargetDescription', 'api/target-description.ts'],
  [
    'baseline',
    'Baseline of commerce-conformance',
    'BaselineFile',
    'harness/results/baseline/read-baseline.ts',
  ],
  ['report', 'Report of a commerce-conformance run', 'Report', 'harness/model/report.ts'],
  [
    'evidence',
    'Evidence of a commerce-conformance run',
    'EvidenceFile',
    'harness/evidence/evidence-format.ts',
  ],
  [
    'certificate',
    'Certificate of a commerce-conformance run',
    'CertificateFile',
    'harness/certification/read-certificate.ts',
  ],
  ['requirements', 'Requirements of the contract', 'RequirementsFile', 'spec/requirements.ts'],
  ['envelope', 'DSSE envelope', 'Envelope', 'harness/certification/envelope.ts'],
  ['challenge', 'Challenge of a certification programme', 'Challenge', 'harness/certification/challenge.ts'],
  ['spot-check', 'Result of a spot check', 'SpotCheck', 'harness/certification/spot-check.ts'],
  ['revocations', 'Revocations of a register', 'Revocations', 'cli/register/read-entries.ts'],
];

/** The options of a target file, under the names that they have there. */
export const fileOptions: ReadonlyArray<readonly [string, OptionRow]> = optionRows
  .filter(([, { only }]) => only !== 'flag')
  .map(([name, row]) => [row.inFile?.replace('options.', '') ?? name, row]);

/** Types that derive from the table of options, and any JSON. */
const known: Readonly<Record<string, Schema>> = {
  ConformanceSettings: {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(fileOptions.map(([name, row]) => [name, schemaOfOption(row)])),
  },
  Profile: { type: 'string', enum: optionTable.profile.choices },
  Json: {},
  JsonValue: {},
};

/** Writes the schemas that derive from types into `spec/`; vitest calls it before the tests. */
export function setup(): void {
  for (const [name, title, type, source] of written) {
    const path = join(packageRoot, 'spec', `${name}.schema.json`);
    const schema = { title, ...schemaOfType(type, join(packageRoot, source), known) };
    const text = `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }, null, 2)}\n`;
    // Tests and builds may run side by side.
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  }
}

function schemaOfOption(row: OptionRow): Schema {
  const { help, about = help, example, least, pattern, choices, type, value } = row;
  const text = about.replaceAll('`', '');
  const describes = {
    description: `${text[0]?.toUpperCase()}${text.slice(1)}.`,
    ...(example !== undefined && { examples: [example] }),
  };
  const filled = { type: 'string', minLength: 1 };
  if (choices !== undefined) return { enum: choices, ...describes };
  if (type === 'texts' || type === 'lists')
    return { ...filled, type: ['string', 'array'], minItems: 1, items: filled, ...describes };
  if (type === 'integer' || type === 'number') return { type, minimum: least, ...describes };
  if (value === undefined) return { type: 'boolean', ...describes };
  return { ...filled, ...(pattern !== undefined && { pattern }), ...describes };
}
