import { describe, expect, it } from 'vitest';
import type { ShapeMember } from '../model/report.ts';
import { BodyShapeBuilder, deepestPlace, mostPlaces } from './body-shape.ts';

function membersOf(...bodies: readonly unknown[]): readonly ShapeMember[] {
  const builder = new BodyShapeBuilder();
  for (const body of bodies) builder.add(body);
  return builder.shape().members;
}

function pathsOf(...bodies: readonly unknown[]): readonly string[] {
  return membersOf(...bodies).map(({ path }) => path);
}

describe('the shape of bodies', () => {
  it('holds for each place which types it had, and in how many parents it was', () => {
    expect(membersOf({ items: [{ a: 1 }, { a: null, b: 'x' }] }, { items: [] })).toEqual([
      { path: '', types: { object: 2 }, seen: 2, of: 2 },
      { path: '/items', types: { array: 2 }, seen: 2, of: 2 },
      { path: '/items/[]', types: { object: 2 }, seen: 1, of: 2 },
      { path: '/items/[]/a', types: { null: 1, number: 1 }, seen: 2, of: 2 },
      { path: '/items/[]/b', types: { string: 1 }, seen: 1, of: 2 },
    ]);
  });

  it('counts as possible parents only what can have members', () => {
    const [, , member] = membersOf({ a: null }, { a: { b: true } }, { a: 3 });
    expect(member).toEqual({ path: '/a/b', types: { boolean: 1 }, seen: 1, of: 1 });
  });

  it('knows a body that is no object', () => {
    expect(membersOf(['a', 1], 'text')).toEqual([
      { path: '', types: { array: 1, string: 1 }, seen: 2, of: 2 },
      { path: '/[]', types: { number: 1, string: 1 }, seen: 1, of: 1 },
    ]);
  });

  it('writes no data into a path: ids, slugs, dates and addresses become *', () => {
    expect(
      pathsOf({
        byId: { '0b6f2c1e-6a53-4c36-9d0a-0d4f6f1b9a11': 1, cs_8fK2mQ0zP1: 2 },
        bySlug: { 'linen-shirt': { price: 1 }, 'wool-scarf': { price: 2 } },
        byDay: { '2026-11-01': 1 },
        byNumber: { 1: 'a', 20: 'b' },
        byMail: { 'someone@example.com': 1 },
      }),
    ).toEqual([
      '',
      '/byDay',
      '/byDay/*',
      '/byId',
      '/byId/*',
      '/byMail',
      '/byMail/*',
      '/byNumber',
      '/byNumber/*',
      '/bySlug',
      '/bySlug/*',
      '/bySlug/*/price',
    ]);
  });

  it('leaves names alone that a schema would have', () => {
    const body = {
      address2: 1,
      'content-type': 'a',
      iso_8601: 1,
      $ref: '',
      '@id': '',
      snake_case_name: 1,
      sha256: '',
    };
    expect(pathsOf(body)).toEqual(['', ...Object.keys(body).map((name) => `/${name}`)].sort());
  });

  it('escapes what has a meaning in a path', () => {
    expect(pathsOf({ '~': 1, '[]': 2, '*': 3, a: 1 })).toEqual(['', '/a', '/~0', '/~2*', '/~2[]']);
  });

  it('keeps a bounded number of places and levels, and says so', () => {
    const wide = new BodyShapeBuilder();
    for (let at = 0; at < 2 * mostPlaces; at++) wide.add({ [`n${'x'.repeat(at % 40)}${letters(at)}`]: 1 });
    expect(wide.shape().members.length).toBe(mostPlaces);
    expect(wide.shape().cut).toBe(true);
    const deep = new BodyShapeBuilder();
    deep.add(JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`));
    expect(deep.shape().members.length).toBe(deepestPlace + 1);
    expect(deep.shape().cut).toBe(true);
  });

  it('takes an object of a great many members for a map', () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`n${letters(at)}`, at]));
    expect(pathsOf(many)).toEqual(['', '/*']);
  });
});

function letters(at: number): string {
  return [...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}
