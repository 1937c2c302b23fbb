import type { CaseClient } from '../calls/case-client.ts';
import { describeAnswer, isBlockedInFront, isOk, statusOf } from '../evidence/answer.ts';
import type { Exchange } from '../model/exchange.ts';
import { type Rider, ridersOf } from '../requests/riders.ts';
import type { Planned } from '../sampling/profile.ts';
import { type Count, chosen } from '../sampling/step-plan.ts';
import { errorBodyFault, testableStatus } from './json-fault.ts';
import { steadyControl } from './steady-control.ts';
import type { Step } from './step.ts';

/** Inputs without a response after which the rest of a factor is not sent: each may take the whole time-out. */
const mostSilences = 3;
/** Wrong responses to random inputs after which the rest of a factor is not sent: it is known to be broken. */
const mostFailures = 24;
/** Kinds of wrong responses to one factor that are reduced, causes of each, and requests for each cause. */
const kindsReduced = 8;
const causesReduced = 3;
const reductionBudget = 80;

/** Attempts at the valid call after one kind of response. */
const attempts = 4;
/** Milliseconds between two of them. */
const recoveryMs = 700;

/** The value that a call sends for one factor in place of the valid one. */
export interface Input extends Planned {
  /** Its value in the row of a call. */
  readonly id: string;
  /** Its name in reports. */
  readonly label: string;
  /** The id of the input that is sent first in place of all that name it. */
  readonly group?: string | undefined;
}

/** The inputs of one factor, and how to send them, look at the responses and make them smaller. */
export interface InputFactor<I extends Input> {
  /** Its name in the row of a call, or one that factors of a kind share. */
  readonly name: string;
  /** In the order of sending; an input that joins others comes before them. */
  readonly corpus: readonly I[];
  /** As many random inputs as the user asks for. */
  readonly random?: () => Iterable<I>;
  /** Random inputs that may be under way at once; 1 if absent. */
  readonly atOnce?: number;
  /** Sends the valid call with an input; where it is repeated, `riders` are all that ride along. */
  readonly send: (step: Step, input: I, riders?: readonly Rider[]) => Promise<Exchange>;
  readonly isAllowed: (exchange: Exchange, input: I) => boolean;
  /** Whether a response is wrong regardless of the valid call after it; never if absent. */
  readonly isCertain?: (exchange: Exchange) => boolean;
  /** Whether a joined input got the response that each input of its group must get. */
  readonly settles?: (exchange: Exchange) => boolean;
  /** The input of an earlier attempt, for this one; undefined where it belongs to another factor. */
  readonly repeated: (earlier: Exchange) => I | undefined;
  /** The smallest input with a wrong response is reduced first; in the order of sending if absent. */
  readonly sizeOf?: (input: I) => number;
  /** Whether an input is as plain as can be, so that a response to it is not due to any input. */
  readonly isPlain?: (input: I) => boolean;
  /** Whether an input must show the same defect as a smallest one; if absent, all with one defect do. */
  readonly isExplained?: (input: I, smallest: I) => boolean;
  /** Ways to make an input smaller; later ones start from the result of earlier ones. */
  readonly smaller?: ReadonlyArray<(input: I) => Iterable<I>>;
  /** Equal for inputs that go out as the same bytes. */
  readonly keyOf: (input: I) => string;
}

export type InputSteps = Readonly<
  Record<'valid' | 'value' | 'random' | 'repeated' | 'smaller' | 'recovery', Step>
>;

/**
 * Sends the valid call, then the inputs of the factors that are made from it, one factor after the other: those of the
 * corpus, of which a joined one may settle its group, then random ones. Sees after the first of each kind of wrong response
 * whether the valid call still succeeds, and reduces what got it. A retry sends only what an earlier attempt found. Returns
 * the valid call; throws at the end where none is known.
 */
export async function probeInputs<I extends Input>(
  client: CaseClient,
  steps: InputSteps,
  factorsFor: (valid: Exchange | undefined) => Promise<ReadonlyArray<InputFactor<I>>>,
): Promise<Exchange | undefined> {
  const { exchange: control, missing } = await steadyControl(client, steps.valid);
  const factors = await factorsFor(control);
  const status = control === undefined ? undefined : statusOf(control);
  const isEvaluated = status === 200;
  const shared = { client, steps, isEvaluated, confirmed: new Set<string>() };
  // While the valid call fails, a retry confirms nothing, and a first attempt finds only responses that are wrong in any case.
  const isOut = control !== undefined && (status === undefined || status >= 500);
  const telling = factors.filter(({ isCertain }) => !isOut || (!client.isRetry && isCertain !== undefined));
  for (const factor of telling) if (!(await probeFactor(shared, factor))) break;
  if (missing !== undefined) throw missing;
  return control;
}

/** Requests for a corpus by profile, where each joined input settles its group. */
export function countSettled(corpus: readonly Input[]): Count {
  return (_operation, _fuzzRuns, profile) => {
    const inputs = chosen(corpus, profile);
    const joined = new Set(inputs.map(({ id }) => id));
    return inputs.filter(({ group = '' }) => !joined.has(group)).length;
  };
}

interface SharedProbe {
  readonly client: CaseClient;
  readonly steps: InputSteps;
  /** A response says something about an input only if the valid call succeeds. */
  readonly isEvaluated: boolean;
  /** Kinds of wrong responses that the valid call has followed. */
  readonly confirmed: Set<string>;
}

/** Probes one factor; false where the target no longer answers the valid call. */
async function probeFactor<I extends Input>(
  { client, steps, isEvaluated, confirmed }: SharedProbe,
  factor: InputFactor<I>,
): Promise<boolean> {
  const byDefect = new Map<string, I[]>();
  let failures = 0;
  let silences = 0;
  /** The target no longer answers the valid call. */
  let isLost = false;
  const isDone = (): boolean => isLost || silences >= mostSilences;

  /**
   * The defect of a response, in words that are the same for the same defect. That of an error body counts as well: another
   * check reports it by the smallest request it has seen. A missing response does not, as each takes the whole time-out.
   */
  const defectOf = (input: I, exchange: Exchange): string | undefined => {
    if (exchange.failure?.kind === 'timeout') return undefined;
    if (!factor.isAllowed(exchange, input)) return describeAnswer(exchange);
    const fault = (testableStatus(exchange) ?? 0) < 400 ? undefined : errorBodyFault(exchange);
    return fault === undefined ? undefined : `${describeAnswer(exchange)} with ${fault}`;
  };

  const fails = async (input: I, before: Exchange): Promise<boolean> => {
    const exchange = await factor.send(steps.repeated, input, ridersOf(before));
    return describeAnswer(exchange) === describeAnswer(before);
  };

  /** Notes a wrong response; sends the valid call after the first of each kind to see whether it still succeeds. */
  const look = async (input: I, exchange: Exchange): Promise<void> => {
    if (!isEvaluated) return;
    if (!factor.isAllowed(exchange, input)) {
      const answer = describeAnswer(exchange);
      failures += 1;
      if (statusOf(exchange) === undefined) silences += 1;
      if (!confirmed.has(answer) && factor.isCertain?.(exchange) !== true) {
        confirmed.add(answer);
        const attempts = await attemptsToRecover(client, steps.recovery, answer);
        isLost = attempts === undefined;
        if (isLost) return;
        // The target was unavailable for a while: sending the input again shows whether it was the cause.
        if (attempts !== 1 && !(await fails(input, exchange))) return;
      }
    }
    // If riders cause the response, the input need not be smaller.
    const defect = exchange.neutral === undefined ? defectOf(input, exchange) : undefined;
    if (defect !== undefined) byDefect.set(defect, [...(byDefect.get(defect) ?? []), input]);
  };

  const sendEarlier = async (): Promise<void> => {
    for (const earlier of client.earlier) {
      const input = factor.repeated(earlier);
      if (input === undefined || isLost) continue;
      const send = (riders: readonly Rider[]): Promise<Exchange> =>
        factor.send(steps.repeated, input, riders);
      // What rode along rarely matters.
      const plain = await send([]);
      const isPlainRight = earlier.neutral !== undefined && factor.isAllowed(plain, input);
      await look(input, isPlainRight ? await send(ridersOf(earlier)) : plain);
    }
  };

  const sendCorpus = async (): Promise<void> => {
    const { settles = () => true, isAllowed, name } = factor;
    const settled = new Set<string>();
    const inputs = client.chosen(factor.corpus);
    for (const input of inputs) {
      if (isDone()) return;
      const { id, group } = input;
      const isSettled = group !== undefined && settled.has(group);
      const exchange = isSettled ? undefined : await factor.send(steps.value, input);
      if (exchange !== undefined) {
        await look(input, exchange);
        const isRefused = group !== undefined && isAllowed(exchange, input) && !isOk(exchange);
        if (isBlockedInFront(exchange) || (isRefused && !settles(exchange)))
          client.noticesRefusal([name, id]);
      }
      const members = inputs.filter((one) => one.group === id).length;
      if (members === 0) continue;
      if (exchange === undefined || settles(exchange) || !client.affords(members)) settled.add(id);
    }
  };

  const sendRandom = async (): Promise<void> => {
    const before = failures;
    const { random = () => [], atOnce = 1 } = factor;
    const inputs = [...random()];
    for (let count = 0; count < inputs.length; count += atOnce) {
      if (isDone() || failures - before >= mostFailures) return;
      const send = (input: I): Promise<Exchange> => factor.send(steps.random, input);
      const batch = inputs.slice(count, count + atOnce);
      const sent = await Promise.all(batch.map(async (input) => ({ input, exchange: await send(input) })));
      for (const { input, exchange } of sent) if (!isDone()) await look(input, exchange);
    }
  };

  const reduced = async (start: I, defect: string): Promise<I> => {
    const { smaller = [], keyOf } = factor;
    let smallest = start;
    let budget = reductionBudget;
    const stillFails = async (one: I): Promise<boolean> => {
      const exchange = await factor.send(steps.smaller, one);
      // The status may be allowed for the first input, which only had a wrong error body, and not for this one.
      if (!factor.isAllowed(exchange, one)) await look(one, exchange);
      return defectOf(one, exchange) === defect;
    };
    for (const way of smaller) {
      const { input, asked } = await client.smallest(smallest, { smaller: way, keyOf, budget, stillFails });
      smallest = input;
      budget -= asked;
    }
    return smallest;
  };

  /** Reduces the smallest input of each cause; inputs that a smallest one explains have the same cause. */
  const reduceWrong = async (): Promise<void> => {
    const { sizeOf = () => 0, isPlain = () => false, isExplained = () => true } = factor;
    for (const [defect, wrong] of [...byDefect].slice(0, kindsReduced)) {
      let left = [...wrong].sort((a, b) => sizeOf(a) - sizeOf(b));
      if (left.some(isPlain)) continue;
      for (let causes = 0; causes < causesReduced && !isLost; causes += 1) {
        const [first] = left;
        if (first === undefined) break;
        const smallest = await reduced(first, defect);
        left = left.filter((one) => one !== first && !isExplained(one, smallest));
      }
    }
  };

  if (client.earlier.length > 0) await sendEarlier();
  else {
    await sendCorpus();
    await sendRandom();
    await reduceWrong();
  }
  return !isLost;
}

/**
 * Sends the valid call after an unexpected response until it gets 200 again, and returns the number of attempts;
 * undefined where it does not. The response is due to the input only if the valid call still succeeds.
 */
async function attemptsToRecover(
  client: CaseClient,
  step: Step,
  answer: string,
): Promise<number | undefined> {
  const label = `valid call after the answer ${answer}`;
  const after = { label, row: { company: answer } };
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    if (statusOf(await client.call(step, after)) === 200) return attempt;
    await client.pause(recoveryMs);
  }
  return undefined;
}
