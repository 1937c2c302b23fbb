import { expect, test } from 'vitest';
import { loadCatalogue } from '../../checks/catalogue.ts';
import { factorOf } from './plan-by-factor.ts';

test('each area that sends requests says what it varies', async () => {
  const { checks } = await loadCatalogue();
  const areas = checks.filter(({ kind }) => kind === 'active').map(({ area }) => area);
  expect(areas.filter((area) => factorOf(area) === factorOf('own'))).toEqual([]);
});
