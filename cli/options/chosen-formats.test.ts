import { describe, expect, test } from 'vitest';
import { UsageError } from '../../harness/usage-error.ts';
import { formats } from '../../reporters/formats.ts';
import { commandOptions } from '../../spec/command-options.ts';
import { optionTable } from '../../spec/options.ts';
import { chosenViews, namedFormats } from './chosen-formats.ts';

function names(...given: Parameters<typeof chosenViews>): string[] {
  return chosenViews(...given).map(({ name }) => name);
}

describe('the formats of a run', () => {
  test('are given by commas, repeated, or both, each once', () => {
    expect(names(['junit', 'junit, markdown', 'badge'], undefined, false)).toEqual([
      'junit',
      'markdown',
      'badge',
    ]);
  });

  test('come from the target file where no flag says otherwise', () => {
    expect(names(undefined, 'junit', true)).toEqual(['junit']);
    expect(names(undefined, ['junit', 'badge'], false)).toEqual(['junit', 'badge']);
    expect(names(['markdown'], ['junit', 'badge'], false)).toEqual(['markdown']);
  });

  test('hold a job summary where GitHub Actions runs it, unless told', () => {
    expect(names(undefined, undefined, true)).toContain('markdown');
    expect(names(undefined, undefined, false)).not.toContain('markdown');
    expect(names(['junit'], undefined, true)).not.toContain('markdown');
  });
});

test.each([
  [['juint'], 'there is no format juint', 'write junit'],
  [
    ['pdf'],
    'there is no format pdf',
    `use one of ${formats.map(({ name }) => name).join(', ')}, or remove it`,
  ],
  [['junit,'], 'the name of a format is empty', 'use one of json'],
  [[''], 'the name of a format is empty', 'use one of json'],
] as const)('%j is refused with the nearest name', (list, what, remedy) => {
  const refused = (): unknown => namedFormats(list, '--format');
  expect(refused).toThrow(UsageError);
  expect(refused).toThrow(`--format: ${what}`);
  expect(refused).toThrow(remedy);
});

test('the help names every format', () => {
  const known = formats.map(({ name }) => name).filter((name) => name !== 'json');
  for (const { help } of [optionTable.format, commandOptions.render.format])
    expect(help).toContain(known.join(', '));
});

test('no two formats share a name or a place', () => {
  const places = formats.flatMap(({ files, folder }) => [...files, ...(folder ? [folder.name] : [])]);
  expect(new Set(places).size).toBe(places.length);
  expect(new Set(formats.map(({ name }) => name)).size).toBe(formats.length);
});
