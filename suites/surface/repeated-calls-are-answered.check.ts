import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { notTested, pass, unexpected, violated } from '../../harness/checks/outcomes.ts';
import { control, probe, type Step, witness } from '../../harness/checks/step.ts';
import { hasStatus, isBlockedInFront, isOk } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import { unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import { isSafe } from '../../spec/operation.ts';
import {
  afterOtherLetters,
  companyOf,
  isConflict,
  isPlainRead,
  mixedUpIn,
  moreAtOnce,
  otherListed,
  othersInCrowd,
  validInCrowd,
  withParameters,
  writtenOtherwise,
} from './crowd.ts';
import { isIssuedEachTime } from './issued-values.ts';

export const check: ActiveCheck = activeCheck({
  stage: 'last',
  requirement: 'SURFACE-1',
  title:
    'a valid call is answered every time, even among concurrent invalid calls and after a read that found nothing',
  applies: (operation) =>
    (isSafe(operation) && !isIssuedEachTime(operation)) || operation.role === 'initiates-login',
  weight: () => 'medium',
  steps: {
    before: control('valid call', withParameters),
    unknown: witness('call with the known value in other letters', { ...withParameters, times: 2 }),
    listing: witness('lists what there is', withParameters),
    other: witness('call with another known value', withParameters),
    // A public read of no resource meets no wrong values; in place of them, one follows a refusal.
    refused: witness('call that is refused for its key', { at: isPlainRead }),
    inCrowd: probe('valid call in a crowd', { times: validInCrowd, expects: [200, 409], isCrowded: true }),
    // What meets a valid call may be taken for it, or the valid call for what it meets; passive checks see the former.
    stranger: witness('call without credentials in a crowd', { at: ({ auth }) => auth === 'api-key' }),
    // A target that keeps a refusal with its connection returns it to the next call on it.
    afterRefused: probe('valid call on the connection of a refused one', { at: isPlainRead }),
    afterMiss: probe('valid call on the connection of one that finds nothing', withParameters),
    unknownInCrowd: witness('call with an unknown value in a crowd', withParameters),
    otherInCrowd: probe('call with another known value in a crowd', {
      ...withParameters,
      times: othersInCrowd,
      expects: [200],
      isCrowded: true,
    }),
    inLargerCrowd: probe('valid call in a larger crowd', { weight: 'low', at: isSafe, times: moreAtOnce }),
  },
  probe: async (client, steps, operation) => {
    const [name = ''] = operation.pathParameters.slice(-1);
    const known = name && (await client.knownValue(name)).value;
    const unknown = known && unknownLike(known, client.random(name));
    const connection = client.openConnection();
    const { none, unscoped } = client.keys;
    // On an idle connection, a reset would say nothing.
    const fresh = { connection: 'fresh' } as const;
    // Where any good key will do, that of one without the scope.
    const isForAll = operation.auth === 'api-key' && operation.scope === undefined;
    const valid = { ...fresh, ...(isForAll && unscoped && { credential: unscoped }) };
    const [before] = await client.repeat(steps.before);
    const another = before && isOk(before) ? await otherListed(client, steps.listing, before) : undefined;
    if (another !== undefined) await client.repeat(steps.other, another);
    const many = (step: Step, changes: CallChanges, count = client.times(step)) =>
      Array.from({ length: count }, () => client.call(step, changes));
    const label = `call with another ${name}`;
    for (const value of name === '' ? [] : writtenOtherwise(client, name, known, unknown))
      await client.call(steps.unknown, { label, parameters: { [name]: value }, connection });
    const refused = { operation: client.withRole('initiates-login'), credential: unscoped ?? none };
    await client.repeat(steps.refused, { ...refused, placeholders: true, connection });
    await Promise.all([
      client.call(steps.inCrowd, valid),
      client.repeat(steps.stranger, { ...fresh, credential: none }),
      client.repeat(steps.afterRefused, { connection }),
      client.repeat(steps.afterMiss, { connection }),
      client.repeat(steps.unknownInCrowd, { ...fresh, parameters: { [name]: unknown } }),
      ...many(steps.otherInCrowd, { ...fresh, ...another }),
      ...many(steps.inCrowd, valid, client.times(steps.inCrowd) - 1),
    ]);
    await Promise.all(
      many(steps.inLargerCrowd, { ...valid, exceedsConcurrency: true, propagationDelayMs: 0 }),
    );
  },
  evaluate: ({ operation, steps }) => {
    const { before, unknown, other, inCrowd, otherInCrowd, inLargerCrowd } = steps;
    const { stranger, unknownInCrowd, afterRefused, afterMiss } = steps;
    const crowd = [...inCrowd, ...otherInCrowd, ...inLargerCrowd, ...stranger, ...unknownInCrowd];
    // A target may close the connection of a refused call: only a refusal that stays with it says something.
    const stillRefused = [...afterRefused, ...afterMiss].filter((one) => hasStatus(one, 400, 401, 403, 404));
    // A listed resource need not be found at each operation.
    const listed = other.every(isOk) ? otherInCrowd : [];
    const sent = [...before, ...inCrowd, ...listed, ...inLargerCrowd, ...stillRefused];
    // A limiter in front that knows no 429 may block a crowd; calls that are sent alone show whether it blocks more.
    const failed = sent.filter((one) => !isOk(one) && !isConflict(one, operation) && !isBlockedInFront(one));
    const answered = inCrowd.filter((one) => !isBlockedInFront(one));
    if (failed.length === sent.length || answered.length === 0)
      return notTested('the valid call was not answered with 200 even once');
    const whyOf = (one: Exchange) => companyOf(one, { crowd, afterRefused, afterMiss });
    const [wrong] = failed;
    if (wrong !== undefined) {
      const isByLetters =
        inCrowd.every((one) => failed.includes(one)) && before.some(isOk) && unknown.length > 0;
      const statement = 'A valid call was not answered with 200 every time';
      return violated(unexpected(statement, '200', wrong, isByLetters ? afterOtherLetters : whyOf(wrong)));
    }
    const mixedUp = mixedUpIn([...inCrowd, ...listed], operation, [before, other]);
    if (mixedUp !== undefined) return violated({ ...mixedUp, ...whyOf(mixedUp.exchange) });
    // The other calls meet the same problem; a fresh connection is not closed as idle.
    const others = [...unknown, ...stranger, ...unknownInCrowd];
    const dropped = others.find(({ failure }) => failure?.kind === 'reset');
    const beside = 'A call among concurrent valid ones was not answered';
    return dropped === undefined
      ? pass(`answered with 200 in ${answered.length} of ${inCrowd.length} concurrent calls`)
      : violated(unexpected(beside, 'an answer', dropped, whyOf(dropped)));
  },
});
