import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notApplicable, notTested, pass, violated } from '../../harness/checks/outcomes.ts';
import { control, probe, witness } from '../../harness/checks/step.ts';
import {
  describeAnswer,
  hasStatus,
  isBlockedInFront,
  isOk,
  parseBody,
} from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import { isJsonMembers } from '../../harness/fuzzing/json-places.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { deviationOf } from '../client/client-answers.ts';
import { isPlainRead } from './crowd.ts';
import { isIssuedEachTime } from './issued-values.ts';

export const check: ActiveCheck = activeCheck({
  stage: 'last',
  requirement: 'SURFACE-1',
  title: 'calls that arrive in one packet are answered in order, each with its own response',
  applies: (operation) => isSafe(operation) && !isIssuedEachTime(operation),
  weight: () => 'medium',
  steps: {
    valid: control('valid call'),
    other: witness('valid call of another operation, the first in a packet'),
    head: witness('HEAD in one packet with other calls'),
    behind: probe('valid call in one packet with other calls'),
    stranger: witness('call with an unknown key behind one with a good key in a packet', {
      at: ({ auth }) => auth === 'api-key',
    }),
  },
  probe: async (client, steps, operation) => {
    const valid = await client.call(steps.valid);
    if (!isOk(valid)) return;
    const others = client.operations.filter(
      (one) => isPlainRead(one) && isSafe(one) && one.id !== operation.id,
    );
    const other = others[client.operations.indexOf(operation) % others.length] ?? operation;
    const turns = 3 + client.times(steps.stranger);
    const places = client.openPipe(turns);
    const at = (place: number) => ({ connection: places[place] ?? ('fresh' as const) });
    const same = { parameters: sentValues(valid), propagationDelayMs: 0, isOwn: true } as const;
    // An answer may be that to another call, which passive checks are not told.
    const row = { route: 'other' };
    const credential = client.keys.invalid[0] ?? client.keys.none;
    // Those that go out with the first one cannot wait for their turn, so that some may be turned away.
    const behind = { ...same, urgent: true, acceptThrottled: true };
    const mixed = { ...behind, row };
    await Promise.all([
      client.call(steps.other, { isOwn: true, row, operation: other, turns, ...at(0) }),
      client.call(steps.head, { ...mixed, method: 'HEAD', ...at(1) }),
      client.call(steps.behind, { ...mixed, ...at(2) }),
      client.repeat(steps.stranger, { ...behind, credential, ...at(3) }),
    ]);
  },
  evaluate: ({ operation, steps: { valid, other, behind } }) => {
    const [[usual], [first], [piped]] = [valid, other, behind];
    if (usual === undefined || !isOk(usual)) return inconclusive('the valid call was not answered with 200');
    if (piped === undefined) return notTested('no calls were sent in one packet');
    if (isTurnedAway(piped))
      return notApplicable(`a call behind another one in the packet was answered ${describeAnswer(piped)}`);
    const actual = defectOf(piped, usual, first, operation);
    if (actual === undefined)
      return pass('answered as usual in one packet with other calls, or separately from them');
    return violated({
      statement: 'A valid call was not answered as usual in one packet with other calls',
      expected: '200, as before',
      actual,
      // What is read in place of the answer is then the body of the one before.
      company: `behind ${piped.failure?.kind === 'malformed-response' ? 'a HEAD' : 'another call'} in one packet`,
      fix: 'Answer the requests on a connection in the order in which they arrived (RFC 9112 section 9.3.2): finish each response before starting the next, send no body in response to a HEAD, and keep no state of a request with its connection. A service may also close the connection after the first response.',
      exchange: piped,
    });
  },
});

/** Whether a limiter or what stands in front answered, which calls at once may lead to. */
function isTurnedAway(exchange: Exchange): boolean {
  return isBlockedInFront(exchange) || hasStatus(exchange, 429, 502, 503, 504);
}

/** A response in which Node writes the hints for the next one. */
const garbledByHints = /^HTTP\/1\.1 10\d /;

/** What is wrong with an answer beside the usual one, where it is none of a proxy that refuses a call. */
function defectOf(
  exchange: Exchange,
  usual: Exchange,
  first: Exchange | undefined,
  operation: Operation,
): string | undefined {
  if (deviationOf(usual, operation) !== undefined) return undefined;
  const [own, got = '', before] = [usual, exchange, first].map((one) => one?.response?.body.text);
  if (isOk(exchange) && before === own && got !== own) return '200 with the body of another answer';
  const isError = isJsonMembers(parseBody(exchange.response?.body) as Json | undefined);
  const isOfService = isOk(exchange) ? !garbledByHints.test(got) : isError || exchange.failure !== undefined;
  return isOfService ? deviationOf(exchange, operation) : undefined;
}
