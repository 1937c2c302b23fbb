import { sharedResource } from '../../../spec/operation.ts';
import { CaseClient, type EarlierAttempts } from '../../calls/case-client.ts';
import { MadeDecisions } from '../../calls/decisions.ts';
import type { RunContext } from '../../calls/run-context.ts';
import { cancelOpenSessions } from '../../calls/session-tracker.ts';
import type { ActiveCheck, Case } from '../../checks/check.ts';
import { blameOf, isCustom } from '../../checks/custom-check.ts';
import { defined } from '../../defined.ts';
import { statusOf } from '../../evidence/answer.ts';
import { numberRanges, type RecordedAttempt } from '../../evidence/evidence-format.ts';
import { groupBy } from '../../group-by.ts';
import type { Evaluation } from '../../model/evaluation.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { CaseResult } from '../../model/report.ts';
import { InconclusiveError } from '../../requests/inconclusive-error.ts';
import { caseIdOf, resultOf } from '../../results/case-result.ts';
import { missingNeeds } from '../../target/missing-needs.ts';
import { type Attempt, concludeCase, evaluateAttempt, shouldRetry } from './conclude-case.ts';
/** Runs one case, and retries a violation, so that its finding states its frequency. */
export async function runCase(
  context: RunContext,
  planned: Case<ActiveCheck>,
  strict: boolean,
): Promise<CaseResult> {
  try {
    const { isLasting, alone: isAlone } = planned.check;
    const state = isLasting ? undefined : sharedResource(planned.operation);
    // Alone, it runs while no other case on the same state does, so that nothing disturbs it.
    const begin = (how: 'shared' | 'alone', act: () => Promise<Attempt>): Promise<Attempt> =>
      state === undefined ? act() : context.locks[state][how](act);
    // A target may refuse more sessions while those of other cases are open, and long cases keep theirs in use.
    const needsRoom = (): boolean => state === 'session' && context.sessions.areFew;
    const makeRoom = async (): Promise<void> => {
      if (needsRoom()) await cancelOpenSessions(context);
    };
    const isFirstAlone = isAlone?.(planned.operation) === true || needsRoom();
    const first = await begin(isFirstAlone ? 'alone' : 'shared', async () => {
      await makeRoom();
      return attemptCase(context, planned, 1);
    });
    const made: Attempt[] = [first];
    while (shouldRetry(made, context.contract)) {
      try {
        if (made.some(({ exchanges }) => exchanges.some((one) => isRefusedCreate(context, one))))
          context.sessions.areFew = true;
        made.push(
          await begin('alone', async () => {
            await makeRoom();
            return attemptCase(context, planned, made.length + 1, retryContext(made));
          }),
        );
      } catch (error) {
        // A defect of the harness in a retry does not undo an earlier finding.
        if (made.every(({ evaluation }) => evaluation.outcome !== 'violated')) throw error;
        break;
      }
    }
    const { target, curlFlags } = context;
    return concludeCase(planned, made, { baseUrl: target.baseUrl, strict, curlFlags });
  } catch (error) {
    const what = (error as Error).stack ?? String(error);
    return resultOf(planned, 'error', `${blameOf(planned.check.id)}: ${what}`);
  }
}

/** Makes and evaluates one attempt, with the context of earlier ones; a missing prerequisite makes it inconclusive. */
export async function attemptCase(
  context: RunContext,
  planned: Case<ActiveCheck>,
  attempt: number,
  earlier?: EarlierAttempts,
): Promise<Attempt> {
  const { check, operation } = planned;
  const decisions = new MadeDecisions();
  // A custom check may expect each valid call to be a new one, such as to compare two of them.
  const own = isCustom(check.id) ? { ...context, controls: undefined } : context;
  const client = new CaseClient(own, check.id, operation, attempt, earlier, decisions);
  let stop: InconclusiveError | undefined;
  try {
    await check.probe(client, operation);
  } catch (error) {
    if (!(error instanceof InconclusiveError)) throw error;
    stop = error;
  } finally {
    await client.close();
  }
  // A probe may do without a request that an answer makes impossible, but not without one that the budget prevents.
  let gaveUp = recordOf(stop ?? client.overBudget);
  // Responses to requests that a stopped probe left under way are not evaluated.
  const exchanges = [...client.exchanges];
  const aside = { unkept: client.omittedCount, leftOut: client.appliedExclusions };
  const evaluate = (): Evaluation =>
    evaluateAttempt(planned, { exchanges, ...aside, ...(gaveUp && { gaveUp }) }, context.document);
  let evaluation = evaluate();
  const [lacking] = missingNeeds(context, planned);
  // A check that sends nothing because of a missing need cannot name the line to add.
  const isOpen = evaluation.outcome === 'inconclusive' && evaluation.remedy === undefined;
  if (lacking !== undefined && exchanges.length === 0 && isOpen) {
    gaveUp = { reason: lacking.reason, remedy: lacking.remedy, transient: false };
    evaluation = evaluate();
  }
  const evaluated = exchanges.filter((one) => caseIdOf(one.case) === planned.id);
  const shared = exchanges.filter((one) => !evaluated.includes(one)).map(({ id, step }) => ({ id, step }));
  context.recorder.emit('attempt', {
    case: { check: check.id, operation: operation.id },
    attempt,
    ...(shared.length > 0 && { shared }),
    ...(Object.keys(decisions.recorded).length > 0 && { decisions: decisions.recorded }),
    after: context.recorder.count,
    ...aside,
    ...(gaveUp && { gaveUp }),
    judged: numberRanges(evaluated.map(({ id }) => id)),
  });
  return { evaluation, exchanges, signs: context.monitor.overload.signs() };
}

function recordOf(stop: InconclusiveError | undefined): RecordedAttempt['gaveUp'] {
  if (stop === undefined) return undefined;
  const { message: reason, remedy, transient, outside } = stop;
  return { reason, ...defined({ remedy }), transient, ...defined({ outside }) };
}

/** Context passed from the first failing attempt to its retries; undefined if none failed. */
export function retryContext(made: readonly Attempt[]): EarlierAttempts | undefined {
  const telling = made.find(({ evaluation }) => evaluation.outcome === 'violated');
  if (telling?.evaluation.outcome !== 'violated') return undefined;
  return {
    shown: telling.evaluation.violations.flatMap(({ exchange, relatedExchanges = [] }) => [
      exchange,
      ...relatedExchanges,
    ]),
    areAll: true,
    control: telling.exchanges.findLast(({ role }) => role === 'control'),
  };
}

function isRefusedCreate({ contract }: RunContext, { operation, response }: Exchange): boolean {
  return response?.status === 409 && contract.find(operation)?.role === 'creates-session';
}

/** Cases that one run repeats in order to confirm violations. */
const mostConfirmed = 12;

/** Number of the first attempt that only confirms violations of passive checks; its case does not evaluate such attempts. */
export const firstConfirmingAttempt = 91;

/** The cases whose exchanges alone showed a violation of a passive check, with the context for their repetition. */
export function casesToConfirm(
  active: ReadonlyArray<Case<ActiveCheck>>,
  unconfirmed: readonly Exchange[],
): ReadonlyMap<Case<ActiveCheck>, EarlierAttempts> {
  const shownBy = groupBy(
    // Which call is throttled depends on the pace: repeating the case shows nothing.
    unconfirmed.filter((exchange) => statusOf(exchange) !== 429),
    (exchange) => caseIdOf(exchange.case),
  );
  const chosen = active
    .filter(({ id }) => shownBy.has(id))
    .sort((a, b) => a.id.localeCompare(b.id))
    .slice(0, mostConfirmed);
  return new Map(chosen.map((planned) => [planned, { shown: shownBy.get(planned.id) ?? [], areAll: false }]));
}

/** Repeats these cases, so that a finding states its frequency. */
export async function confirmViolations(
  context: RunContext,
  toConfirm: ReturnType<typeof casesToConfirm>,
): Promise<void> {
  for (const [planned, earlier] of toConfirm) {
    for (const attempt of [firstConfirmingAttempt, firstConfirmingAttempt + 1])
      await attemptCase(context, planned, attempt, earlier);
  }
}
