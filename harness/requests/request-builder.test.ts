import { expect, it } from 'vitest';
import { loadCatalogue } from '../checks/catalogue.ts';
import { planRun } from '../engine/run/plan-run.ts';
import { defaultOptions } from '../target/default-options.ts';
import { requestIdForm, requestIdOf } from './request-builder.ts';

const runs = ['conformance-1a2b3c4d', `conformance-${'0123456789abcdef'.repeat(2)}`];

it('holds letters, digits and hyphens only, at most 64, for every case and run', async () => {
  const catalogue = await loadCatalogue();
  const { plan } = planRun(catalogue, { options: defaultOptions, document: undefined });
  const cases = [
    ...plan.active.map(({ id }) => id),
    ...catalogue.contract.operations.flatMap(({ id }) =>
      ['preflight', 'cleanup', 'provocation'].map((sender) => `${id}/${sender}`),
    ),
  ];
  for (const run of runs) {
    const ids = cases.map((id) => requestIdOf(run, `${id}/1000.1000000`));
    expect(new Set(ids).size).toBe(cases.length);
    for (const id of ids) {
      expect(id).toMatch(/^[A-Za-z0-9-]{1,64}$/);
      expect(id).toMatch(requestIdForm);
    }
  }
});

it('names run, case, attempt and exchange, the case as in every run', () => {
  const ids = ['getThing/auth/a-check/1.1', 'getThing/auth/a-check/2.1', 'getThing/auth/a-check/1.11'];
  const [first = '', ...others] = ids.map((id) => requestIdOf('conformance-1a2b3c4d', id));
  expect(first).toMatch(/^conformance-1a2b3c4d-[0-9a-f]{8}-1-1$/);
  const key = first.split('-')[2];
  expect(others).toEqual([`conformance-1a2b3c4d-${key}-2-1`, `conformance-1a2b3c4d-${key}-1-11`]);
  expect(requestIdOf('conformance-5', 'getThing/auth/a-check/1.1')).toBe(`conformance-5-${key}-1-1`);
});
