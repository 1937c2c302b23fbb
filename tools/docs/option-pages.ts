import { groupBy } from '../../harness/group-by.ts';
import { unusualForms } from '../../suites/request/unusual-forms.ts';
import { pathValues } from '../../suites/resource/path-values.ts';
import { fileOptions } from '../build/write-schemas.ts';
import { pageAt, withRows } from './page.ts';

/** The guide to target files with its table of options. */
export async function renderTargetGuide(): Promise<string> {
  const rows = fileOptions.map(([name, { help, about = help, guide: page, ...row }]) => {
    const meaning =
      page === undefined
        ? about
        : `${about}; see [${page.replace(/\.md.*$/, '').replaceAll('-', ' ')}](${page})`;
    const usual = row.default ?? row.usual ?? (row.value === undefined ? 'false' : 'none');
    return [`\`${name}\``, meaning, String(usual)];
  });
  const guide = withRows(await pageAt('docs', 'target-file.md'), ['key', 'meaning', 'default'], rows);
  return withRows(guide, ['class', 'where', 'values'], classRows());
}

/** The classes of values that a target file can exclude, with their values as reports call them. */
function classRows(): ReadonlyArray<readonly string[]> {
  const ofPaths = groupBy(pathValues, (value) => value.class);
  const ofBodies = groupBy(unusualForms({ member: 'text', number: 1 }), (form) => form.class);
  const rowsOf = (classes: ReadonlyMap<string, ReadonlyArray<{ readonly label: string }>>, where: string) =>
    [...classes].map(([name, values]) => [
      `\`${name}\``,
      where,
      [...new Set(values.map(({ label }) => label))].join('; '),
    ]);
  return [
    ['`random`', 'path, body', 'random values'],
    ...rowsOf(ofPaths, 'path, query'),
    ...rowsOf(ofBodies, 'body'),
  ];
}
