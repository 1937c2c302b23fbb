import { expect, it } from 'vitest';
import type { Finding } from '../../model/report.ts';
import type { Sighting } from './root-cause-defect.ts';
import { lastPrimaries } from './same-exchange.ts';

/** Which finding stands for which, by name. */
function last(explainedBy: Readonly<Record<string, string>>): unknown {
  const sightings = new Map<string, Sighting>();
  const named = (id: string): Sighting => {
    const known = sightings.get(id) ?? ({ finding: { id } } as Sighting);
    sightings.set(id, known);
    return known;
  };
  const primaries = new Map<Finding, Sighting>(
    Object.entries(explainedBy).map(([id, by]) => [named(id).finding, named(by)]),
  );
  return Object.fromEntries([...lastPrimaries(primaries)].map(([{ id }, { finding }]) => [id, finding.id]));
}

it('follows explanations to their end', () => {
  expect(last({ a: 'b', b: 'c', d: 'c' })).toEqual({ a: 'c', b: 'c', d: 'c' });
});

it('lets one stand for all where findings explain each other', () => {
  expect(last({ a: 'b', b: 'a' })).toEqual({ a: 'b' });
  expect(last({ a: 'b', b: 'c', c: 'a', d: 'a' })).toEqual({ a: 'c', b: 'c', d: 'c' });
});
