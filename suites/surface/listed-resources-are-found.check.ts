import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notApplicable, notTested, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { control, probe, witness } from '../../harness/checks/step.ts';
import { describeAnswer, isBlockedInFront, isOk } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import { anotherResource } from '../../harness/results/causes/cause-fixes.ts';
import {
  isAnother,
  isListed,
  listedResources,
  listedValues,
  listingOf,
  mayBeListed,
  placeOf,
} from './listed-resources.ts';

export const check: ActiveCheck = activeCheck({
  requirement: 'SURFACE-1',
  title: 'each resource that a listing shows is found under its own name',
  applies: mayBeListed,
  weight: () => 'medium',
  steps: {
    valid: control('valid call with the known value'),
    listing: witness('lists what there is'),
    listed: probe('a resource of the listing', { times: listedResources, strength: 'part', expects: [200] }),
    listingAgain: witness('lists what there is again', { followUp: true }),
    listedAgain: probe('the resource of the listing again', { followUp: true }),
  },
  probe: async (client, steps, operation) => {
    const [name = ''] = operation.pathParameters.slice(-1);
    const listing = listingOf(operation, client.operations);
    const valid = await client.call(steps.valid);
    if (!isOk(valid) || listing === undefined) return;
    const lists = { operation: listing, parameters: placeOf(listing, valid) };
    const values = listedValues(await client.call(steps.listing, lists), valid, name);
    for (const value of values.slice(0, client.times(steps.listed))) {
      const parameters = { ...sentValues(valid), [name]: value };
      const one = await client.call(steps.listed, { parameters });
      if (isOk(one)) continue;
      await client.call(steps.listingAgain, lists);
      await client.call(steps.listedAgain, { parameters });
      return;
    }
  },
  evaluate: ({ operation, steps: { valid, listing, listed, listingAgain, listedAgain } }) => {
    const [known] = valid;
    const [name = ''] = operation.pathParameters.slice(-1);
    if (known === undefined || !isOk(known)) return inconclusive('the valid call was not answered with 200');
    if (listing.length === 0) return notApplicable('no operation of the contract lists what this one reads');
    if (listed.length === 0)
      return listing.some(isOk)
        ? notApplicable(
            'the listing names no other resource by the member that names the resource in the read',
          )
        : inconclusive('the listing was not answered with 200');
    const swapped = listed.filter((one) => isAnother(name, known, one));
    const lost = listedAgain.filter(
      (one) =>
        !isOk(one) && !isBlockedInFront(one) && isListed(sentValues(one)[name] ?? '', listingAgain.at(-1)),
    );
    const missing = listed.filter((one) => !isOk(one));
    return violatedOr(
      [...swapped.slice(0, 1), ...lost.slice(-1)].map((exchange) => ({
        statement: lost.includes(exchange)
          ? 'A resource of the listing is not found'
          : 'A resource of the listing is answered with another one',
        expected: '200 with the resource that the listing shows',
        actual: lost.includes(exchange) ? describeAnswer(exchange) : '200 with another resource',
        ...(!lost.includes(exchange) && { deviation: anotherResource }),
        fix: /^[\w.~-]*$/.test(sentValues(exchange)[name] ?? '')
          ? 'Look up the resource in the source of the listing: the same store, replica or index, by the same key.'
          : `Decode the path once, as UTF-8, after it is split, and not with form decoding: ${name} holds characters that are percent-encoded in a path, where a plus sign is not a space.`,
        exchange,
      })),
      () =>
        missing.length > 0
          ? notTested(`a resource of the listing was answered ${describeAnswer(missing[0] ?? known)} once`)
          : pass(`found each of ${listed.length} resources of the listing`),
    );
  },
});
