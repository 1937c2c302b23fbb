import { describe, expect, it } from 'vitest';
import { BodyShapeBuilder } from '../../evidence/body-shape.ts';
import type { BodyShape } from '../../model/report.ts';
import { diffShapes } from './diff-shapes.ts';

function shapeOf(...bodies: readonly unknown[]): BodyShape {
  const builder = new BodyShapeBuilder();
  for (const body of bodies) builder.add(body);
  return { bodies: bodies.length, unread: 0, ...builder.shape() };
}

function changes(before: readonly unknown[], after: readonly unknown[]): readonly string[] {
  return diffShapes(shapeOf(...before), shapeOf(...after)).map(
    ({ kind, path, before: old, after: now, renamedTo }) =>
      [`${kind} ${path}: ${old} -> ${now}`, ...(renamedTo === undefined ? [] : [`= ${renamedTo}`])].join(' '),
  );
}

describe('what changed in the shape of bodies', () => {
  it.each([
    ['nothing', [{ a: 1 }], [{ a: 2 }], []],
    [
      'a member that was always there',
      [{ a: 1, b: 1 }],
      [{ b: 2 }],
      ['gone /a: number, in all 1 -> in none of 1'],
    ],
    [
      'all below it goes without saying',
      [{ a: { b: { c: 1 } }, z: 1 }],
      [{ z: 1 }],
      ['gone /a: object, in all 1 -> in none of 1'],
    ],
    [
      'a member that was there sometimes',
      [{ a: 1 }, {}],
      [{}],
      ['not-seen /a: number, in 1 of 2 -> in none of 1'],
    ],
    [
      'an array that is empty now',
      [{ a: [{ b: 1 }] }],
      [{ a: [] }],
      ['not-seen /a/[]: object -> in none of 1'],
    ],
    ['an array that is not empty any more', [{ a: [] }], [{ a: [{ b: 1 }] }], []],
    [
      'a map that is empty now',
      [{ a: { 'x-y': 1 } }],
      [{ a: {} }],
      ['not-seen /a/*: number -> in none of 1'],
    ],
    [
      'a parent that is null now',
      [{ a: { b: 1 } }],
      [{ a: null }],
      ['became-nullable /a: object, in all 1 -> null, in all 1', 'not-seen /a/b: number, in all 1 -> null'],
    ],
    ['a type', [{ a: 1 }], [{ a: 'x' }], ['type-changed /a: number, in all 1 -> string, in all 1']],
    [
      'a further type',
      [{ a: 1 }],
      [{ a: 1 }, { a: 'x' }],
      ['type-changed /a: number, in all 1 -> number or string, in all 2'],
    ],
    ['a type less', [{ a: 1 }, { a: 'x' }], [{ a: 1 }], []],
    [
      'a list that is an object now',
      [{ a: [{ b: 1 }] }],
      [{ a: { b: 1 } }],
      ['type-changed /a: array, in all 1 -> object, in all 1'],
    ],
    [
      'null sometimes',
      [{ a: 1 }],
      [{ a: 1 }, { a: null }],
      ['became-nullable /a: number, in all 1 -> number or null, in all 2'],
    ],
    [
      'null no more',
      [{ a: 1 }, { a: null }],
      [{ a: 1 }],
      ['no-longer-null /a: number or null, in all 2 -> number, in all 1'],
    ],
    [
      'null till now, and a value at last',
      [{ a: null }],
      [{ a: 'x' }],
      ['no-longer-null /a: null, in all 1 -> string, in all 1'],
    ],
    [
      'there sometimes',
      [{ a: 1 }],
      [{ a: 1 }, {}],
      ['became-optional /a: number, in all 1 -> number, in 1 of 2'],
    ],
    [
      'there always',
      [{ a: 1 }, {}],
      [{ a: 1 }],
      ['became-required /a: number, in 1 of 2 -> number, in all 1'],
    ],
    ['something new', [{ a: 1 }], [{ a: 1, b: { c: [] } }], ['added /b: null -> object, in all 1']],
    [
      'a name',
      [{ a: { x: 1 } }],
      [{ b: { x: 2 } }],
      ['gone /a: object, in all 1 -> in none of 1 = /b', 'added /b: null -> object, in all 1'],
    ],
    [
      'two names, of which nobody knows which is which',
      [{ a: 1, b: 2 }],
      [{ c: 1, d: 2 }],
      [
        'gone /a: number, in all 1 -> in none of 1',
        'gone /b: number, in all 1 -> in none of 1',
        'added /c: null -> number, in all 1',
        'added /d: null -> number, in all 1',
      ],
    ],
    ['the whole body', [{ items: [1] }], [[1]], ['type-changed : object -> array']],
  ] as const)('%s', (_, before, after, said) => {
    expect(changes(before, after)).toEqual(said);
  });

  it('says nothing where one side was never read', () => {
    expect(changes([], [{ a: 1 }])).toEqual([]);
    expect(changes([{ a: 1 }], [])).toEqual([]);
  });

  it('does not call gone what a cut shape may have left out', () => {
    const cut = { ...shapeOf({ b: 1 }), cut: true };
    expect(diffShapes(shapeOf({ a: 1, b: 1 }), cut).map(({ kind }) => kind)).toEqual(['not-seen']);
    expect(diffShapes(cut, shapeOf({ a: 1, b: 1 }))).toEqual([]);
  });
});
