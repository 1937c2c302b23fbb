import type { Catalogue } from '../../harness/checks/catalogue.ts';
import { usualLimit } from '../../harness/engine/run/plan-run.ts';
import { groupBy } from '../../harness/group-by.ts';
import { profiles } from '../../harness/sampling/profile.ts';
import { defaultOptions } from '../../harness/target/default-options.ts';
import { inWords, usualRequests } from '../../spec/usual-requests.ts';
import { unusualForms } from '../../suites/request/unusual-forms.ts';
import { pathValues } from '../../suites/resource/path-values.ts';
import { fileOptions } from '../build/write-schemas.ts';
import { type Part, pageAt, withParts, withRows } from './page.ts';

/** The README with the requests of a default run and their limit. */
export async function renderReadme(catalogue: Catalogue): Promise<string> {
  const limit = (hasDocument: boolean): string => inWords(usualLimit(catalogue, defaultOptions, hasDocument));
  const { plain, withSpec } = usualRequests.standard;
  return withParts(
    await pageAt('README.md'),
    [
      /(?<=A default run sends about )[\d,]+( requests to a conforming\s+service \()[\d,]+(?= with `--spec`\))/,
      (between) => inWords(plain) + between + inWords(withSpec),
    ],
    [/(?<=The limit is )[\d,]+ \([\d,]+(?= with `--spec`\))/, () => `${limit(false)} (${limit(true)}`],
  );
}

/** The guide to fuzzing with the requests of each profile. */
export async function renderFuzzingGuide(): Promise<string> {
  const { most } = usualRequests;
  const ofProfiles = profiles.map((profile): Part => {
    const { plain, withSpec } = usualRequests[profile];
    const more = withSpec === plain ? '' : `; about ${inWords(withSpec)} with \`--spec\``;
    const cell = new RegExp(`(?<=^\\| \`${profile}\` \\| )[^|]*(?= \\|)`, 'm');
    return [cell, () => `about ${inWords(plain)}${more}`];
  });
  return withParts(await pageAt('docs', 'fuzzing.md'), ...ofProfiles, [
    /(?<=gets up to\s+)[\d,]+( requests in `quick` and up to )[\d,]+(?= in `standard`)/,
    (between) => inWords(most.quick) + between + inWords(most.standard),
  ]);
}

/** The page of real stacks with the server block that the tests of nginx use. */
export async function renderStacksPage(): Promise<string> {
  const configuration = await pageAt('fixtures', 'stacks', 'fronts', 'nginx.conf');
  const [block = ''] = /^ {2}server \{\n[\s\S]*?^ {2}\}$/m.exec(configuration) ?? [];
  const lines = block
    .replaceAll('#[recommended] ', '')
    .replace('127.0.0.1:@PORT@', '80')
    .replace('@BACKEND@', '8080')
    .split('\n')
    .filter((line) => !line.includes('#['))
    .map((line) => line.slice(2));
  return withParts(await pageAt('docs', 'real-stacks.md'), [
    /(?<=^```nginx\n)[\s\S]*?(?=^```$)/m,
    () => `${lines.join('\n')}\n`,
  ]);
}

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
