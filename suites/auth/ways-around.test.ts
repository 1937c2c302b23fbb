import { expect, it } from 'vitest';
import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import { toldOfWays, waysWithoutKey } from './ways-around.ts';

const told = (...way: string[]): ReturnType<typeof toldOfWays> =>
  toldOfWays(
    exampleExchange({
      status: 200,
      label: 'a good key in a cookie',
      row: { way },
      credential: 'none',
    }),
  );

it('names the places of a key, and the cookie of the service where the call carries it', () => {
  expect(told('cookie')?.headline).toContain('accepted with a good key in a cookie');
  expect(told('cookie', 'header via')?.headline).toContain('with a good key in other places');
  expect(told('header via')?.headline).toBe('A call without a key is accepted with a good key in a cookie');
  expect(told('own cookie')?.fix).toContain('Let no session stand for the key');
  expect(told('a', 'b', 'c', 'd')).toBeUndefined();
  const ofSession = told('cookie', 'own cookie');
  expect(ofSession?.headline).toContain('and the cookie that a valid call has set');
  expect(ofSession?.fix).toContain('SessionCreationPolicy.STATELESS');
});

it('sends no more headers at once than Varnish takes, beside those of the call, the key elsewhere and proxies', () => {
  const ways = waysWithoutKey({ baseUrl: 'https://shop.example', operations: [] });
  const headers = ways.flat().filter(({ id }) => id.startsWith('header '));
  expect(headers.length).toBeLessThanOrEqual(40);
});
