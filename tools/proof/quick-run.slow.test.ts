import { expect, test } from 'vitest';
import { allVariants } from '../../fixtures/variants/all-variants.ts';
import { startVariant } from '../../fixtures/variants/start-variant.ts';
import { usualRequests } from '../../spec/usual-requests.ts';
import { evaluateService } from './evaluate-service.ts';

/** Requests that divide what a service refuses, whichever operations it refuses it at. */
const fewMore = 50;

test.concurrent.each([
  'newly-query-is-checked-before-the-key',
  'malformed-slugs-are-refused',
  'malformed-headers-are-refused',
])('%s takes few requests more', async (name) => {
  const variant = allVariants.find((one) => one.name === name);
  if (variant === undefined) throw new Error('there is no such variant');
  const service = await startVariant(variant);
  try {
    const { results, traffic } = await evaluateService(service, { options: { profile: 'quick' } });
    expect(traffic.requests).toBeLessThanOrEqual(usualRequests.quick.plain + fewMore);
    const unnoticed = results.filter(({ message }) => message.includes('in none with query'));
    expect(unnoticed.length > 15).toBe(name.includes('query'));
  } finally {
    await service.close();
  }
});
