import { describe, expect, it } from 'vitest';
import type { Json } from '../model/target.ts';
import { fillPlaceholders, placeholdersIn } from './placeholders.ts';

const values = new Map<string, string | number>([
  ['id', 'cs_1'],
  ['number', 17],
  ['other', '{id}$&'],
]);

/** What `$${id}` in a target file leaves. */
const dollar = `$${'{id}'}`;

describe('fillPlaceholders', () => {
  it.each<[string, Json, Json]>([
    ['within a text', 'see {id} and {id}', 'see cs_1 and cs_1'],
    ['in its own type where it is the whole text', '{number}', 17],
    ['as text within a text', 'n{number}', 'n17'],
    ['in lists and objects', { a: ['{id}', { b: '{number}' }] }, { a: ['cs_1', { b: 17 }] }],
    ['but not in names of members', { '{id}': 1 }, { '{id}': 1 }],
    ['but not for unknown names', '{unknown} {id}', '{unknown} cs_1'],
    ['but not for unknown whole texts', '{unknown}', '{unknown}'],
    ['but not after a dollar sign', dollar, dollar],
    ['but not in other braces', '{ id } {} {1}', '{ id } {} {1}'],
    ['without looking into what was put in', '{other}!', '{id}$&!'],
    ['and leaves other values as they are', [1, true, null, 'x'], [1, true, null, 'x']],
  ])('puts a value in %s', (_where, body, expected) => {
    expect(fillPlaceholders(body, values)).toEqual(expected);
  });

  it('keeps a member called __proto__ a member', () => {
    const body = JSON.parse('{"__proto__":"{id}"}') as Json;
    expect(JSON.stringify(fillPlaceholders(body, values))).toBe('{"__proto__":"cs_1"}');
  });
});

it('finds names in texts', () => {
  expect(placeholdersIn({ a: ['{x} and {y_1}', { b: '{ z }', '{k}': 1 }], c: `\${d}` })).toEqual([
    'x',
    'y_1',
  ]);
});
