import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { groupBy } from '../../harness/group-by.ts';
import { type OptionRow, optionRows } from '../../spec/options.ts';
import { packageRoot } from '../../spec/package-root.ts';
import { unusualForms } from '../../suites/request/unusual-forms.ts';
import { pathValues } from '../../suites/resource/path-values.ts';
import { table } from './table.ts';

/** The options of a target file, under the names that they have there. */
const fileOptions: ReadonlyArray<readonly [string, OptionRow]> = optionRows
  .filter(([, { only }]) => only !== 'flag')
  .map(([name, row]) => [row.inFile?.replace('options.', '') ?? name, row]);

/** The schema of target files with all options; the formatter breaks its lines. */
export async function renderTargetSchema(): Promise<string> {
  const schema = await readFile(join(packageRoot, 'spec', 'target.schema.json'), 'utf8');
  const options = fileOptions.map(
    ([name, row]) => `"${name}": ${JSON.stringify(schemaOf(row), undefined, 2)}`,
  );
  const place = /("options": \{[^{]*"properties": \{\n)[\s\S]*?(\n {6}\}\n {4}\}\n {2}\},\n {2}"\$defs")/;
  return schema.replace(place, (_all, before, after) => `${before}${options.join(',\n')}${after}`);
}

function schemaOf(row: OptionRow): object {
  const { help, about = help, example, least, pattern, choices, type, value } = row;
  const text = about.replaceAll('`', '');
  const describes = {
    description: `${text[0]?.toUpperCase()}${text.slice(1)}.`,
    ...(example !== undefined && { examples: [example] }),
  };
  if (choices !== undefined) return { enum: choices, ...describes };
  if (type === 'texts' || type === 'lists') return { $ref: '#/$defs/names', ...describes };
  if (type === 'integer' || type === 'number') return { type, minimum: least, ...describes };
  if (value === undefined) return { type: 'boolean', ...describes };
  return { type: 'string', minLength: 1, ...(pattern !== undefined && { pattern }), ...describes };
}

/** The guide to target files with its table of options. */
export async function renderTargetGuide(): Promise<string> {
  const guide = await readFile(join(packageRoot, 'docs', 'target-file.md'), 'utf8');
  const rows = fileOptions.map(([name, { help, about = help, guide: page, ...row }]) => {
    const meaning =
      page === undefined
        ? about
        : `${about}; see [${page.replace(/\.md.*$/, '').replaceAll('-', ' ')}](${page})`;
    return `| \`${name}\` | ${meaning} | ${row.default ?? row.usual ?? (row.value === undefined ? 'false' : 'none')} |`;
  });
  const options = ['| key | meaning | default |', '|---|---|---|', ...rows, ''].join('\n');
  return guide
    .replace(/^\| key \| meaning \| default \|\n(?:\|.*\n)+/m, () => options)
    .replace(/^\| class \| where \| values \|\n(?:\|.*\n)+/m, () => classTable().join('\n'));
}

/** The classes of values that a target file can exclude, with their values as reports call them. */
function classTable(): readonly string[] {
  const ofPaths = groupBy(pathValues, (value) => value.class);
  const ofBodies = groupBy(unusualForms({ member: 'text', number: 1 }), (form) => form.class);
  const rowsOf = (classes: ReadonlyMap<string, ReadonlyArray<{ readonly label: string }>>, where: string) =>
    [...classes].map(([name, values]) => [
      `\`${name}\``,
      where,
      [...new Set(values.map(({ label }) => label))].join('; '),
    ]);
  return table(
    ['class', 'where', 'values'],
    [
      ['`random`', 'path, body', 'random values'],
      ...rowsOf(ofPaths, 'path, query'),
      ...rowsOf(ofBodies, 'body'),
    ],
  );
}
