import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, describe, expect, vi } from 'vitest';
import { UsageError } from '../../harness/usage-error.ts';
import { partOf } from '../../harness/write-atomically.ts';
import { formats, type ReportFormat } from '../../reporters/formats.ts';
import { oneFailure, sampleReports } from '../../reporters/testing/sample-reports-for-tests.ts';
import { writeReport } from './report-dir.ts';
import { prepareViews, refuseForeign, writeViews } from './write-views.ts';

const test = base.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern that nothing else is needed
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'conformance-views-'));
    await use(folder);
    await rm(folder, { recursive: true, force: true });
  },
});

function format(name: string): ReportFormat {
  const found = formats.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no format ${name}`);
  return found;
}

function unreachable(): never {
  throw new Error('a broken renderer');
}

describe('every format', () => {
  test.for(Object.entries(sampleReports))(
    'writes %s to just the places that it names, whose files are known as our own',
    async ([, report], { folder }) => {
      const { written, whole } = await writeViews(folder, report, formats);
      expect(whole).toBe(true);
      expect(written.map((one) => one.format)).toEqual(formats.map(({ name }) => name));
      const places = formats.flatMap((one) => [...one.files, ...(one.folder ? [one.folder.name] : [])]);
      expect((await readdir(folder)).sort()).toEqual(places.sort());
      expect(written.flatMap(({ paths }) => paths).sort()).toEqual(
        places.map((place) => join(folder, place)).sort(),
      );
      await writeReport(folder, report);
      const names = formats.flatMap(({ files }) => files);
      await expect(refuseForeign(folder, names, '--out')).resolves.toBeUndefined();
    },
  );
});

describe('what was there before', () => {
  test('of the same format is gone before anything is sent', async ({ folder }) => {
    await writeViews(folder, oneFailure, formats);
    await prepareViews(folder, formats, '--report-dir');
    expect(await readdir(folder)).toEqual(['allure-results']);
    expect(await readdir(join(folder, 'allure-results'))).toEqual(['environment.properties']);
  });

  test('of other formats and other tools stays', async ({ folder }) => {
    await mkdir(join(folder, 'allure-results'));
    await writeFile(join(folder, 'allure-results', 'theirs-result.json'), '{}');
    await writeFile(join(folder, 'badge.svg'), 'theirs');
    const views = [format('allure'), format('junit')];
    await prepareViews(folder, views, '--report-dir');
    await writeViews(folder, oneFailure, views);
    await writeViews(folder, oneFailure, views);
    expect(await readFile(join(folder, 'badge.svg'), 'utf8')).toBe('theirs');
    const results = await readdir(join(folder, 'allure-results'));
    expect(results).toContain('theirs-result.json');
    const { results: cases } = oneFailure;
    expect(results.filter((name) => name.endsWith('-result.json'))).toHaveLength(cases.length + 1);
  });

  test('half written by a run that was killed does no harm', async ({ folder }) => {
    const part = partOf(join(folder, 'junit'));
    await mkdir(part);
    await writeFile(join(part, 'junit.xml'), '<testsuites>');
    await prepareViews(folder, [format('junit')], '--report-dir');
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a folder that cannot be written to', () => {
  test.for([
    ['a file in its place', 'taken', 'taken'],
    ['a folder in the place of a report', 'reports', join('reports', 'junit.xml', 'inside')],
  ] as const)('%s is refused before anything is sent', async ([, name, obstacle], { folder }) => {
    await mkdir(join(folder, obstacle, '..'), { recursive: true });
    await writeFile(join(folder, obstacle), '');
    const prepared = prepareViews(join(folder, name), [format('junit')], '--out');
    await expect(prepared).rejects.toThrow(UsageError);
    await expect(prepared).rejects.toThrow(`--out: no report can be written to ${join(folder, name)}`);
  });

  test('is said at the end, and the other formats are written', async ({ folder }) => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await mkdir(join(folder, 'junit.xml'));
    const { written, whole } = await writeViews(folder, oneFailure, [format('junit'), format('markdown')]);
    expect(said.mock.calls.join('')).toContain('error: the junit report could not be written: ');
    said.mockRestore();
    expect(whole).toBe(false);
    expect(written.map((one) => one.format)).toEqual(['markdown']);
    expect((await readdir(folder)).sort()).toEqual(['junit.xml', 'summary.md']);
  });
});

test('a defect of a renderer is not taken for a full disk', async ({ folder }) => {
  const broken: ReportFormat = { name: 'broken', files: ['broken.txt'], load: async () => unreachable };
  await expect(writeViews(folder, oneFailure, [broken])).rejects.toThrow('a broken renderer');
});
