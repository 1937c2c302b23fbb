import { expect, it } from 'vitest';
import { inCompany, NoticedValues, pathFactor } from './noticed-values.ts';

it('takes a factor for noticed after two of its values, or after many that were sent at once', () => {
  const noticed = new NoticedValues();
  noticed.note(['query', 'page=0'], 'listShops');
  noticed.note(['query', 'page=0'], 'getShop');
  expect([noticed.has(['query', 'page=0']), noticed.hasAny('query')]).toEqual([true, false]);
  noticed.note(['query', 'debug'], 'getShop');
  noticed.note(['cookie', inCompany], 'getShop');
  expect([noticed.hasAny('query'), noticed.hasAny('cookie'), noticed.hasAny('via')]).toEqual([
    true,
    true,
    false,
  ]);
});

it('takes a factor for noticed everywhere after three operations', () => {
  const noticed = new NoticedValues();
  for (const operation of ['a', 'b', 'b']) noticed.note(['cookie', 'session=expired'], operation);
  expect(noticed.isEverywhere('cookie')).toBe(false);
  noticed.note(['cookie', 'theme=dark'], 'c');
  expect(noticed.isEverywhere('cookie')).toBe(true);
});

it('counts the values of a factor that the target refused', () => {
  const noticed = new NoticedValues();
  for (const value of ['nul', 'quotes', 'nul']) noticed.noteRefusal([pathFactor, value]);
  expect([...noticed.refusedOf(pathFactor)]).toEqual(['nul', 'quotes']);
  expect(noticed.refusedOf('query').size).toBe(0);
});
