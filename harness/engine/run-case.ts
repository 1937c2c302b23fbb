import { Caller, type EarlierAttempts } from '../requests/case-client.ts';
import { stateOf } from '../requests/shared-state.ts';
import type { Workbench } from '../requests/run-context.ts';
import { CannotJudge } from '../requests/inconclusive-error.ts';
import type { ActiveCheck } from '../model/check.ts';
import { blameOf } from '../checks/contained-check.ts';
import type { Exchange } from '../model/exchange.ts';
import type { AttemptRecord } from '../evidence/recorder.ts';
import { resultOf } from '../results/case-result.ts';
import type { CaseResult } from '../model/report.ts';
import { cancelOpenSessions } from '../requests/cancel-open-sessions.ts';
import { type Attempt, concludeCase, judgeAttempt, wantsAnother } from './conclude-case.ts';
import type { Case } from './plan.ts';

/** Runs one case: a violation is tried again, so that a finding says how often it was seen. */
export async function runCase(
  bench: Workbench,
  planned: Case<ActiveCheck>,
  strict: boolean,
): Promise<CaseResult> {
  try {
    const begin = planned.check.alone?.(planned.operation) === true ? alone : share;
    const made: Attempt[] = [await begin(bench, planned, () => attemptCase(bench, planned, 1))];
    while (wantsAnother(made)) {
      try {
        const isFull = made.some(({ exchanges }) => exchanges.some(isRefusedCreate));
        made.push(
          await alone(bench, planned, async () => {
            // A target may take no more sessions while those of other cases are open.
            if (isFull) await cancelOpenSessions(bench);
            return attemptCase(bench, planned, made.length + 1, toldBy(made));
          }),
        );
      } catch (error) {
        // What was found before a defect of the harness is found all the same.
        if (made.every(({ judgement }) => judgement.outcome !== 'violated')) throw error;
        break;
      }
    }
    return concludeCase(planned, made, { baseUrl: bench.target.baseUrl, strict, curlFlags: bench.curlFlags });
  } catch (error) {
    const what = (error as Error).stack ?? String(error);
    return resultOf(planned, 'error', `${blameOf(planned.check.id)}: ${what}`);
  }
}

/** Probes and judges once, knowing what earlier attempts showed; what cannot be had makes the attempt inconclusive. */
export async function attemptCase(
  bench: Workbench,
  planned: Case<ActiveCheck>,
  attempt: number,
  earlier?: EarlierAttempts,
): Promise<Attempt> {
  const { check, operation } = planned;
  const caller = new Caller(bench, check.id, operation, attempt, earlier);
  let gaveUp: AttemptRecord['gaveUp'];
  try {
    await check.probe(caller, operation);
  } catch (error) {
    if (!(error instanceof CannotJudge)) throw error;
    const { message: reason, remedy, transient } = error;
    gaveUp = { reason, ...(remedy === undefined ? {} : { remedy }), transient };
  } finally {
    await caller.close();
  }
  // A probe that gave up may have left requests under way: what they bring is not judged.
  const exchanges = [...caller.exchanges];
  const { unkept, leftOut } = caller;
  const evidence = { exchanges, unkept, leftOut, ...(gaveUp === undefined ? {} : { gaveUp }) };
  const judgement = judgeAttempt(planned, evidence, bench.document);
  bench.recorder.recordAttempt({
    case: { check: check.id, operation: operation.id },
    attempt,
    judged: exchanges.map(({ id }) => id),
    unkept,
    leftOut,
    ...(gaveUp === undefined ? {} : { gaveUp }),
  });
  return { judgement, exchanges, signs: bench.liveness.signs() };
}

/** What the first attempt that showed violations tells those after it; undefined where none did. */
function toldBy(made: readonly Attempt[]): EarlierAttempts | undefined {
  const telling = made.find(({ judgement }) => judgement.outcome === 'violated');
  if (telling?.judgement.outcome !== 'violated') return undefined;
  return {
    shown: telling.judgement.violations.flatMap(({ exchange, alike = [] }) => [exchange, ...alike]),
    areAll: true,
    control: telling.exchanges.findLast(({ role }) => role === 'control'),
  };
}

function share<T>(bench: Workbench, { operation }: Case, act: () => Promise<T>): Promise<T> {
  const state = stateOf(operation);
  return state === undefined ? act() : bench.locks[state].shared(act);
}

/** A case on shared state is tried again while no other one is under way, so that what disturbed it is not there. */
function alone<T>(bench: Workbench, { operation }: Case, act: () => Promise<T>): Promise<T> {
  const state = stateOf(operation);
  return state === undefined ? act() : bench.locks[state].alone(act);
}

function isRefusedCreate({ operation, response }: Exchange): boolean {
  return operation === 'createHostedCheckoutSession' && response?.status === 409;
}
