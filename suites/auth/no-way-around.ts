import type { CaseClient } from '../../harness/calls/case-client.ts';
import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { membersShown } from '../../harness/checks/error-shape.ts';
import { inconclusive } from '../../harness/checks/outcomes.ts';
import { evaluateRefusals } from '../../harness/checks/refusal.ts';
import { control, probe, witness } from '../../harness/checks/step.ts';
import { bodyOf } from '../../harness/checks/vary-body.ts';
import { describeAnswer, isOk, isWrittenOtherwise, statusOf } from '../../harness/evidence/answer.ts';
import { sentValues, valuesIn } from '../../harness/evidence/sent-values.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import {
  type Change,
  labelOf,
  together,
  type Variation,
  withHeader,
} from '../../harness/requests/variation.ts';
import type { Operation } from '../../spec/operation.ts';
import { besideValidCall, takeValues } from './refused-calls.ts';
import { cookiesOf, headersElsewhere, loneWays, mostNamed, toldOfWays } from './ways-around.ts';

/** The differences between the checks of ways around a refusal. */
interface RefusedAnyway extends Pick<ActiveCheck, 'requirement' | 'title' | 'applies' | 'needs'> {
  readonly key: 'none' | 'unscoped';
  /** Says which key the calls have, such as `without a key`. */
  readonly label: string;
  readonly status: 401 | 403;
  /** Begins the headline of a call that was accepted. */
  readonly subject: string;
  /** Throws `InconclusiveError` if they may not be sent. */
  readonly waysFor: (client: CaseClient, valid: Exchange | undefined) => ReadonlyArray<readonly Variation[]>;
}

/** A browser without a key must be refused like any client, not redirected to a login; a passive check detects a redirect. */
export const asBrowser: Change = (call) =>
  call.headers?.['accept'] === undefined ? acceptingPages(call) : call;
const acceptingPages = withHeader('accept', 'text/html, application/xml;q=0.9, */*;q=0.8');

const takesBody = ({ requestSchema }: Operation): boolean => requestSchema !== undefined;

/** Builds a check that sends all ways in a call that must be refused and, if it is accepted, finds the fewest that matter. */
export function noWayAround({ key, label, status, subject, waysFor, ...rest }: RefusedAnyway): ActiveCheck {
  return activeCheck({
    ...rest,
    weight: () => 'medium',
    steps: {
      valid: control('valid call'),
      together: probe(`${label}, but with everything else that might grant access`, {
        times: (operation) => 1 + loneWays(operation).length,
      }),
      single: probe(`${label}, but with one such thing`, { followUp: true }),
      bare: witness(`${label}, and nothing else`, { followUp: true }),
      keyed: witness('valid call with an Idempotency-Key', { at: takesBody }),
      replayed: probe(`${label}, but with the Idempotency-Key of a valid call`, { at: takesBody }),
      // A passive check evaluates whether it is accepted.
      replayedByStranger: witness('with an invalid key, and the Idempotency-Key of a valid call', {
        at: (operation) => key === 'none' && takesBody(operation),
      }),
    },
    probe: async (client, steps, operation) => {
      const { none, invalid } = client.keys;
      const credential = client.keys[key];
      if (credential === undefined) return;
      await besideValidCall(client, { step: steps.valid }, async ({ values, valid }) => {
        const send = async (
          ways: readonly Variation[],
          more: CallChanges = {},
        ): Promise<number | undefined> => {
          const named = ways.length <= mostNamed && { label: labelOf(ways) };
          const changes = together(ways, { ...values, route: operation.path, credential, ...named });
          return statusOf(await client.call(steps.together, { ...asBrowser(changes), ...more }));
        };
        const find = async (ways: readonly Variation[]): Promise<void> => {
          const bare = await client.call(steps.bare, { credential, placeholders: true });
          if (isOk(bare)) return;
          await client.fewest(ways, async (some) => {
            const fresh = { ...(await takeValues(client)), route: operation.path, credential };
            const changes = together(some, { ...fresh, label: labelOf(some) });
            return isOk(await client.call(steps.single, changes));
          });
        };
        const elsewhere = headersElsewhere(client, operation);
        const lists = waysFor(client, valid).filter((ways) => ways.length > 0);
        // A single way may be refused for itself, or lead elsewhere, which says nothing about the others.
        const atOnce = { propagationDelayMs: 0 };
        const whole = await send([...lists.flat(), ...elsewhere], atOnce);
        const kept = cookiesOf(client.exchanges.at(-1), 'refused');
        if (whole !== status) {
          const answer = await send(lists.flat());
          if (answer === 200) await find(lists.flat());
          else if (answer !== status)
            for (const ways of lists) if ((await send(ways)) === 200) await find(ways);
        }
        // A path that leads nowhere does so on the first call.
        const apart = [whole === status ? [] : elsewhere, ...loneWays(operation).map((way) => [way])];
        for (const ways of apart.map((some) => [...some, ...kept]).filter(({ length }) => length > 0))
          if ((await send(ways, atOnce)) === 200) await find(ways);
        if (!takesBody(operation) || valid === undefined || !isOk(valid)) return;
        // A response stored for an Idempotency-Key is only for clients that may make the call; an earlier run may have stored one.
        const headers = { 'idempotency-key': String(await client.fill('{unique}')) };
        const idempotent = { headers, neutral: [] };
        const keyed = await client.call(steps.keyed, idempotent);
        const body = bodyOf(keyed);
        if (!isOk(keyed) || body === undefined) return;
        const again = { ...idempotent, body, parameters: sentValues(keyed) };
        await client.call(steps.replayed, { ...again, credential });
        await client.repeat(steps.replayedByStranger, { ...again, credential: invalid[0] ?? none });
      });
    },
    evaluate: ({ steps: { valid, together: sent, single, bare, replayed } }) => {
      const isTaken = (exchange: Exchange): boolean => isAccepted(exchange, valid.at(-1));
      const accepted = sent.filter(isTaken);
      if (accepted.length > 0 && bare.some(isOk))
        return inconclusive('the bare call was answered 200 as well; another check reports that');
      const found = single.filter(isTaken);
      const fewest = found.filter((one) => !found.some((other) => other !== one && isWithin(other, one)));
      const refused = sent.filter((exchange) => statusOf(exchange) === status);
      // The contract has 409 for a conflict of Idempotency-Keys.
      const kept = replayed.filter(isOk);
      const probes = [...(fewest.length > 0 ? fewest : accepted), ...refused, ...kept];
      if (probes.length === 0 && sent.length > 0) {
        const answers = [...new Set(sent.map(describeAnswer))].join(' and ');
        return inconclusive(
          `no call was answered ${status} because of its key, but ${answers} because of what else it carried`,
        );
      }
      return evaluateRefusals(probes, valid, {
        status,
        subject: () => subject,
        what: (exchange) =>
          kept.includes(exchange) ? 'the Idempotency-Key of a valid call' : exchange.label,
        told: (exchange) => (kept.includes(exchange) ? toldOfKept : toldOfWays(exchange)),
      });
    },
  });
}

const toldOfKept = {
  kind: 'replayed',
  headline: 'A response stored under an Idempotency-Key is replayed before the API key is checked',
  fix: 'Check the API key before looking up stored responses, and store them under both keys: a call with an insufficient API key got a response because it carried the Idempotency-Key of a valid call. Look for a middleware that replays responses before authentication, and move it behind authentication.',
};

/**
 * Whether a call was answered with 200, by the operation itself: where another path was written, the members of the 200 show
 * that no proxy or router found something else in its place.
 */
export function isAccepted(exchange: Exchange, valid: Exchange | undefined): boolean {
  if (!isOk(exchange) || !isWrittenOtherwise(exchange)) return isOk(exchange);
  return valid !== undefined && isOk(valid) && String(membersShown(exchange)) === String(membersShown(valid));
}

/** Plain calls, and of those with ways around what was refused with a status, or the smallest accepted one, which comes last. */
export function tellingCalls(
  plain: readonly Exchange[],
  around: readonly Exchange[],
  { valid, status }: { readonly valid: readonly Exchange[]; readonly status: number },
): readonly Exchange[] {
  const refused = around.filter((one) => statusOf(one) === status);
  const accepted = plain.some(isOk) ? [] : around.filter((one) => isAccepted(one, valid.at(-1)));
  return [...plain, ...refused, ...accepted.slice(-1)];
}

/** Whether the ways of one call are among those of another. */
function isWithin(one: Exchange, other: Exchange): boolean {
  const [ways, others] = [valuesIn(one, 'way'), valuesIn(other, 'way')];
  return ways.length < others.length && ways.every((way) => others.includes(way));
}
