import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { groupBy } from '../../harness/group-by.ts';
import { packageRoot } from '../../spec/package-root.ts';
import { unusualForms } from '../../suites/request/unusual-forms.ts';
import { pathValues } from '../../suites/resource/path-values.ts';
import { fileOptions } from '../build/write-schemas.ts';
import { table } from './table.ts';

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
