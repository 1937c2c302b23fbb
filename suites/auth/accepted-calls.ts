import type { CaseClient } from '../../harness/calls/case-client.ts';
import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { attemptControl } from '../../harness/checks/steady-control.ts';
import { control, probe, witness } from '../../harness/checks/step.ts';
import { defined } from '../../harness/defined.ts';
import { describeAnswer, hasStatus, isOk, statusOf } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import type { Credential, KeyRing } from '../../harness/requests/key-ring.ts';
import type { StepPlan } from '../../harness/sampling/step-plan.ts';
import type { Operation } from '../../spec/operation.ts';

/** The refusal that valid calls with a good key must not get. */
interface Acceptance
  extends Pick<ActiveCheck, 'requirement' | 'title'>,
    Partial<Pick<ActiveCheck, 'alone' | 'needs'>> {
  readonly status: 401 | 403;
  /** The headline for such a refusal. */
  readonly statement: string;
  /** The statuses that count as accepted under this rule. */
  readonly accepted: readonly number[];
  /** When the valid call is sent alone. */
  readonly plain: StepPlan;
  /** When it is sent after other calls, with which key, and which keys the other calls have. */
  readonly inTurn: StepPlan;
  readonly others: (
    keys: KeyRing,
    operation: Operation,
  ) => readonly [Credential | undefined, ...Credential[]];
  readonly company: string;
  /** Other operations that show what a key may do, by what they show: one accepted call each suffices. */
  readonly elsewhere: (client: CaseClient) => Readonly<Record<string, readonly Operation[]>>;
  /** Why a refusal may be right, in view of all calls. */
  readonly doubt: (
    refused: Exchange,
    all: readonly Exchange[],
    operation: Operation,
  ) => Evaluation | undefined;
}

/** Builds a check of valid calls, alone and after other calls: a target may remember a refusal by connection or address. */
export function acceptedCalls(rule: Acceptance): ActiveCheck {
  const { status, statement, accepted, plain, inTurn, others, company, elsewhere, doubt, ...rest } = rule;
  const isAccepted = (call: Exchange): boolean => hasStatus(call, ...accepted);
  return activeCheck({
    needs: () => ['scoped-key', 'valid-call'],
    ...rest,
    applies: (operation) => operation.auth === 'api-key',
    steps: {
      plain: control('valid call', plain),
      other: witness('call with another key, or none', { times: 1, ...inTurn }),
      after: probe('valid call with a good key, after calls of others', { ...inTurn, times: 1 }),
      valid: control('valid call with a good key', { followUp: true }),
      elsewhere: witness('is the key accepted elsewhere?', { followUp: true }),
    },
    probe: async (client, steps, operation) => {
      const { scoped, unscoped } = client.keys;
      if (scoped === undefined) return;
      const [key = scoped, ...before] = others(client.keys, operation);
      const alone = await client.repeat(steps.plain);
      const connection = before.length === 0 ? undefined : client.connectionFor(steps.after);
      let changes: CallChanges = defined({ connection });
      for (const credential of connection === undefined ? [] : before) {
        const label = `with ${credential.description}`;
        const sent = await client.call(steps.other, { ...changes, label, credential });
        changes = { ...changes, parameters: sentValues(sent) };
      }
      const after = connection && (await client.repeat(steps.after, { ...changes, credential: key }));
      const own = after === undefined ? scoped : key;
      const calls = [...alone, ...(after ?? [])];
      if (!calls.some((one) => isOf(own, one) && isAccepted(one)))
        calls.push(await client.call(steps.valid, own === scoped ? {} : { credential: own }));
      for (const key of [scoped, unscoped].flatMap((one) => one ?? []))
        if (calls.some((one) => isOf(key, one) && statusOf(one) === status))
          for (const [shown, operations] of Object.entries(elsewhere(client)))
            for (const other of operations.filter(({ id }) => id !== operation.id)) {
              const label = `is the ${key.description} accepted elsewhere?`;
              const changes = { operation: other, label, row: { shown }, credential: key };
              await attemptControl(client, steps.elsewhere, changes);
              const last = client.exchanges.at(-1);
              if (last?.operation === other.id && isOk(last)) break;
            }
    },
    evaluate: ({ operation, steps: { plain, valid, after, elsewhere } }) => {
      const alone = [...plain, ...valid];
      const calls = [...alone, ...after];
      const [first] = calls;
      if (first === undefined) return inconclusive('no valid call was sent');
      const refused = calls.filter((one) => statusOf(one) === status);
      const doubtOf = (one: Exchange): Evaluation | undefined =>
        doubt(one, [...calls, ...elsewhere], operation);
      const needsCompany = (exchange: Exchange): boolean =>
        after.includes(exchange) && alone.some((one) => isAccepted(one) && isSameKey(one, exchange));
      const violations = refused
        .filter((exchange) => doubtOf(exchange) === undefined)
        .map((exchange) => ({
          statement,
          expected: `not ${status}`,
          actual: String(status),
          ...(needsCompany(exchange) && { company }),
          exchange,
        }));
      return violatedOr(violations, () => {
        const accepted = calls.filter(isAccepted).length;
        if (refused[0] !== undefined) return doubtOf(refused[0]) as Evaluation;
        return accepted > 0
          ? pass(`accepted in ${accepted} of ${calls.length} calls, and never answered ${status}`)
          : inconclusive(`the call was answered ${describeAnswer(first)}, which says nothing about the key`);
      });
    },
  });
}

/** Whether a call has a key. */
function isOf({ kind }: Pick<Credential, 'kind'>, { request }: Exchange): boolean {
  return request.credential.kind === kind;
}

/** Whether two calls have the same key. */
export function isSameKey(one: Exchange, other: Exchange): boolean {
  return isOf(one.request.credential, other);
}

/** Whether a valid call needs a good key and nothing else. */
export function isPlainRead({ auth, scope, method, pathParameters }: Operation): boolean {
  return auth === 'api-key' && scope === undefined && method === 'GET' && pathParameters.length === 0;
}
