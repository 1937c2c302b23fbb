import { describe, expect, it } from 'vitest';
import type { ShapeEntry } from '../../model/report.ts';
import { caseShowing } from '../results-for-tests.ts';
import { attribute } from './root-causes.ts';

const shapeOf = (operation: string, ...paths: readonly string[]): ShapeEntry => ({
  operation,
  status: 200,
  shape: {
    bodies: 3,
    unread: 0,
    cut: false,
    members: paths.map((path) => ({ path, types: { object: 1 }, seen: 1, of: 1 })),
  },
});
const operations = [
  { id: 'list', method: 'GET', path: '/shops/{slug}/things' },
  { id: 'one', method: 'GET', path: '/shops/{shopSlug}/things/{slug}' },
];
const list = shapeOf('list', '', '/data', '/data/[]', '/data/[]/slug');
const values = {
  shopSlug: { value: 'corner', source: 'generated' },
  slug: { value: 'nothing', source: 'generated' },
} as const;
const result = caseShowing(
  'RESOURCE-1',
  { operation: 'one', status: 200, label: 'unknown slug', values },
  {
    headline: 'An unknown resource was not answered with 404',
    message: 'An unknown slug was not answered 404',
    fix: 'The usual fix.',
  },
);

describe('a route that takes the calls of another operation', () => {
  it('is named where the responses of both have one shape', () => {
    const like = shapeOf('one', '', '/data', '/data/[]', '/data/[]/slug');
    const { rootCauses, results } = attribute([result], [list, like], operations);
    expect(rootCauses).toMatchObject([
      {
        headline: 'An unknown slug (nothing) is answered 200, with a response like those of list',
        fix: expect.stringContaining('whether the route of list also matches this path'),
      },
    ]);
    expect(results[0]?.findings[0]?.fix).toBe(rootCauses[0]?.fix);
  });

  it.each([
    ['another method', operations.map((one) => (one.id === 'list' ? { ...one, method: 'POST' } : one))],
    ['one resource for both', operations.map((one) => ({ ...one, peers: { 'creates-session': 'list' } }))],
  ])('is not with %s', (_what, others) => {
    const like = { ...list, operation: 'one' };
    expect(attribute([result], [list, like], others).rootCauses).toMatchObject([{ fix: 'The usual fix.' }]);
  });

  it.each([
    ['another shape', shapeOf('one', '', '/slug', '/name', '/price')],
    ['too little in common', shapeOf('one', '', '/data')],
  ])('is not with %s', (_what, shape) => {
    const { rootCauses } = attribute([result], [list, shape], operations);
    expect(rootCauses).toMatchObject([
      {
        headline: 'An unknown resource was not answered with 404 but with 200 (nothing)',
        fix: 'The usual fix.',
      },
    ]);
  });
});
