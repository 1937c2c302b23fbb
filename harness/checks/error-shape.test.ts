import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordedBody } from '../model/exchange.ts';
import { clustersOf, membersOf, type ShapedAnswer } from './error-shape.ts';

const body = (value: unknown): RecordedBody => {
  const text = JSON.stringify(value) ?? '';
  return { text, encoding: 'utf-8', bytes: text.length, truncated: false, json: 'object' };
};

describe('membersOf', () => {
  it('is types by path, two levels deep, in the order of names', () => {
    const value = { b: { y: [1], x: { deep: 1 } }, a: 'text', c: null, d: [{ e: 1 }], '': 0 };
    expect([...membersOf(body(value))]).toEqual([
      ['', 'number'],
      ['a', 'string'],
      ['b', 'object'],
      ['b.x', 'object'],
      ['b.y', 'array'],
      ['c', 'null'],
      ['d', 'array'],
    ]);
  });

  it.each([null, 'text', 1, [], [{ a: 1 }]])('is empty for %j', (value) => {
    expect(membersOf(body(value)).size).toBe(0);
  });

  it('does not depend on the order of members', () => {
    expect([...membersOf(body({ a: 1, b: 2 }))]).toEqual([...membersOf(body({ b: 2, a: 1 }))]);
  });
});

type Sample = Omit<ShapedAnswer, 'exchange'>;

const sample = (operation: string, status: number, value: object): Sample => ({
  operation,
  status,
  members: membersOf(body(value)),
});
const named = (clusters: ReadonlyArray<readonly Sample[]>): string[][] =>
  clusters.map((cluster) => cluster.map(({ operation }) => operation).sort());

describe('clustersOf', () => {
  it('links samples that share a member on top', () => {
    const clusters = clustersOf([
      sample('a', 404, { code: 1, message: 'x' }),
      sample('b', 404, { error: {} }),
      sample('c', 404, { message: 'y' }),
    ]);
    expect(named(clusters)).toEqual([['a', 'c'], ['b']]);
  });

  it('links groups through a sample that belongs to both', () => {
    const clusters = clustersOf([
      sample('a', 404, { code: 1 }),
      sample('b', 404, { detail: 1 }),
      sample('c', 404, { code: 1, detail: 1 }),
    ]);
    expect(named(clusters)).toEqual([['a', 'b', 'c']]);
  });

  it('does not take a shared name one level down for a link', () => {
    expect(
      named(clustersOf([sample('a', 404, { x: { code: 1 } }), sample('b', 404, { y: { code: 1 } })])),
    ).toHaveLength(2);
  });

  it('puts empty objects into one group of their own', () => {
    const clusters = clustersOf([sample('a', 404, {}), sample('b', 404, { code: 1 }), sample('c', 404, {})]);
    expect(named(clusters)).toEqual([['a', 'c'], ['b']]);
  });

  it('counts operations and statuses, not how often they were seen', () => {
    const often = Array.from({ length: 9 }, () => sample('a', 404, { error: 1 }));
    const clusters = clustersOf([...often, sample('b', 401, { code: 1 }), sample('c', 404, { code: 1 })]);
    expect(clusters[0]?.map(({ operation }) => operation)).toEqual(['b', 'c']);
  });

  it('puts every sample into one group, whatever the order', () => {
    const bodies = fc.array(fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 3 }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(bodies, (lists) => {
        const samples = lists.map((names, at) =>
          sample(`o${at}`, 404, Object.fromEntries(names.map((name) => [name, 1]))),
        );
        const groups = (all: readonly Sample[]): string[] => named(clustersOf(all)).map(String).sort();
        expect(clustersOf(samples).flat()).toHaveLength(samples.length);
        expect(groups([...samples].reverse())).toEqual(groups(samples));
      }),
    );
  });
});
