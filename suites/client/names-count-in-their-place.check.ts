import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notApplicable, notTested, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { steadyControl } from '../../harness/checks/steady-control.ts';
import { control, probe, witness } from '../../harness/checks/step.ts';
import { sentBody } from '../../harness/checks/vary-body.ts';
import {
  describeAnswer,
  hasStatus,
  isBlockedInFront,
  isOk,
  parseBody,
} from '../../harness/evidence/answer.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import { jsonBody } from '../../harness/requests/call-spec.ts';
import { sharedResource } from '../../spec/operation.ts';

const inQuery = 'other values of the fields of the body in the query';

export const check: ActiveCheck = activeCheck({
  stage: 'last',
  requirement: 'CLIENT-1',
  title: 'the fields of a body are read from the body, never from the query',
  // The effect of a cancel or a return depends on the state that earlier calls left.
  applies: ({ role }) => role === 'initiates-login' || role === 'creates-session',
  weight: () => 'medium',
  alone: () => true,
  steps: {
    valid: control('valid call'),
    misplaced: probe(`valid call with ${inQuery}`),
    validAgain: witness('valid call again', { followUp: true }),
  },
  probe: async (client, steps) => {
    const { exchange: valid, missing } = await steadyControl(client, steps.valid);
    if (missing !== undefined || valid === undefined) throw missing;
    if (!isOk(valid)) return;
    const query = fieldsInQuery(membersOf(valid));
    if (query === undefined) return;
    const answer = await client.call(steps.misplaced, {
      row: { misplaced: 'fields in the query' },
      holdsFreshValues: true,
      body: jsonBody(await client.validBody()),
      query,
    });
    if (!hasStatus(answer, 200, 400, 409)) await client.call(steps.validAgain);
  },
  evaluate: ({ operation, steps: { valid, misplaced, validAgain } }) => {
    const usual = valid.at(-1);
    if (usual === undefined || !isOk(usual)) return inconclusive('the valid call was not answered with 200');
    if (misplaced.length === 0)
      return notApplicable('the valid body has no text that could be sent elsewhere');
    if (validAgain.length > 0 && validAgain.every((one) => !isOk(one)))
      return notTested('the valid call was refused afterwards as well');
    // A field or a parameter that the contract does not name may be refused, and a session may be in another state.
    const mayBe = [200, 400, ...(sharedResource(operation) === undefined ? [] : [409])];
    const isBroken = (one: Exchange): boolean => !hasStatus(one, ...mayBe) && !isBlockedInFront(one);
    const isTaken = (one: Exchange): boolean => isOk(one) && showsMisplaced(usual, one);
    return violatedOr(
      misplaced
        .filter((one) => isBroken(one) || isTaken(one))
        .map((exchange) => ({
          statement: `A field of the body takes effect in the wrong place: ${inQuery}`,
          expected: 'the same 200 as without it, or 400',
          actual: isTaken(exchange) ? '200 with the value from the wrong place' : describeAnswer(exchange),
          fix: 'Read fields only from the body, not from parameters that a framework merges from query and body.',
          exchange,
        })),
      () => pass(`they made no difference in ${misplaced.length} calls`),
    );
  },
});

type Members = Readonly<Record<string, Json>>;

/** Other values of the fields of a body, as a query; undefined if it has no text that a query could hold. */
function fieldsInQuery(members: Members): string | undefined {
  const texts = Object.entries(members).filter(([, value]) => typeof value === 'string');
  const others = texts.map(([name, value]): [string, string] => [name, otherThan(String(value))]);
  return others.length === 0 ? undefined : new URLSearchParams(others).toString();
}

function otherThan(value: string): string {
  return value.includes('://')
    ? `${value}${value.includes('?') ? '&' : '?'}elsewhere=1`
    : `elsewhere-${value}`;
}

/** Whether an answer shows a value of the wrong place where the usual one shows that of the right place. */
function showsMisplaced(usual: Exchange, one: Exchange): boolean {
  const members = membersOf(one);
  const [, query = ''] = one.request.path.split('?');
  const misplaced = new Set(new URLSearchParams(query).values());
  const own = new Set([...leavesOf(members).values()].map(String));
  const [before, shown] = [usual, one].map((exchange) => leavesOf(parseBody(exchange.response?.body)));
  const sentBefore = new Set([...leavesOf(membersOf(usual)).values()].map(String));
  return [...(shown ?? [])].some(([pointer, leaf]) => {
    const isShownUsually = sentBefore.has(String(before?.get(pointer)));
    return isShownUsually && misplaced.has(String(leaf)) && !own.has(String(leaf));
  });
}

/** The members of the body that a call sent; empty if it is not an object. */
function membersOf(exchange: Exchange): Members {
  const body = parseBody(sentBody(exchange));
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Members) : {};
}
