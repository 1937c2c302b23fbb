import { expect, test } from 'vitest';
import { allGreen } from '../testing/sample-reports-for-tests.ts';
import { describeSlowdown, refusersInWords, slowedInWords } from './slowdown.ts';

test('a throttled run says by what, how fast it is, what waits and what would help', () => {
  const waiting = ['getPublicProduct', 'searchPublicProducts', 'getApiKeyIdentity', 'listPublicProducts'];
  expect(describeSlowdown({ 429: 12 }, 3.14, waiting)).toBe(
    'Throttled by 429: the pace is 3.1 requests/s, and getPublicProduct, searchPublicProducts, getApiKeyIdentity and 1 more wait. ' +
      'To speed up, raise the limit for this client on staging; a --rate below it avoids most refusals.',
  );
});

test('a pace of nothing is no pace', () => {
  expect(describeSlowdown({ 503: 4 }, 0, [])).toContain(
    'Slowed by 503: no request has been served for a while. Look for what restarted or was replaced; if a limiter answers so, ',
  );
});

test('a firewall is named', () => {
  expect(refusersInWords({ 403: 2, 429: 1 })).toBe("a firewall's 403, 429");
});

test('a firewall may refuse values whatever the rate', () => {
  expect(describeSlowdown({ 403: 2 }, 50, [])).toBe(
    "Slowed by a firewall's 403: the pace is 50 requests/s. " +
      'To speed up, exempt this client from its rules, or exclude the values that it blocks.',
  );
});

test('a report says the same of a run that was slowed down, and nothing of others', () => {
  expect(slowedInWords(allGreen)).toBeUndefined();
  const slowed = { by: { 429: 34 }, ms: 39_100, pace: 41 };
  const report = { ...allGreen, run: { ...allGreen.run, slowed } };
  expect(slowedInWords(report)).toBe(
    'throttled by 429 for 39.1 s: the pace was 41 requests/s. ' +
      'To speed up, raise the limit for this client on staging; a --rate below it avoids most refusals.',
  );
});
