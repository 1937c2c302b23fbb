import { errorBodyFault } from '../../harness/checks/json-fault.ts';
import { attemptsToRecover } from '../../harness/checks/recovery.ts';
import type { Step } from '../../harness/checks/step.ts';
import { sentBody } from '../../harness/checks/vary-body.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import type { Operation } from '../../spec/operation.ts';
import { mayAnswerAnyBody } from './body-answers.ts';
import { isExcludedBody } from './body-classes.ts';
import { formsToSend, randomBodies } from './body-inputs.ts';
import { randomBody } from './body-violation.ts';
import type { FreshBodies, WritableBody } from './fresh-bodies.ts';
import { reduceBody } from './reduce-body.ts';
import { combinedForms, plainBody, type UnusualForm, unusualForms } from './unusual-forms.ts';

/** Bodies without a response after which the rest is not sent: each may take the whole time-out. */
const mostSilences = 3;
/** Requests for reducing the bodies of one case, and those for one of them. */
const mostReductions = 80;
const mostForOne = 60;

/** The steps that send bodies. */
export type AnyBodySteps = Readonly<Record<'form' | 'random' | 'repeated' | 'smaller' | 'recovery', Step>>;

interface Input extends WritableBody {
  readonly step: Step;
  readonly id: string;
  readonly label: string;
  /** Takes note of the response, so that the budget goes where new ones come from. */
  readonly learn?: (answer: string) => void;
}

/** Sends the unusual forms of a valid body, then random bodies; confirms and reduces the first with each wrong response. */
export class AnyBodyProbe {
  readonly #client: CaseClient;
  readonly #operation: Operation;
  readonly #steps: AnyBodySteps;
  readonly #bodies: FreshBodies;
  readonly #valid: Exchange;
  /** The first body with each response that is wrong. */
  readonly #wrong = new Map<string, Input>();
  /** The first body with each defect of an error body; a passive check reports these by their smallest request. */
  readonly #flawed = new Map<string, Input>();
  /** Defects of error bodies that the smallest body shows as well. */
  readonly #common = new Set<string>();

  constructor(
    client: CaseClient,
    operation: Operation,
    steps: AnyBodySteps,
    { bodies, valid }: { readonly bodies: FreshBodies; readonly valid: Exchange },
  ) {
    this.#client = client;
    this.#operation = operation;
    this.#steps = steps;
    this.#bodies = bodies;
    this.#valid = valid;
  }

  /** Sends everything, or in a retry only what showed violations. */
  async run(): Promise<void> {
    if (this.#client.earlier.length > 0) await this.#sendEarlier();
    else if (await this.#sendAll()) await this.#reduceAll();
  }

  /** False where the target stops answering the valid call. */
  async #sendAll(): Promise<boolean> {
    let silences = 0;
    for await (const input of this.#inputs()) {
      const exchange = await this.#bodies.call(input.step, input, input.id, input.label);
      input.learn?.(describeAnswer(exchange));
      if (statusOf(this.#valid) !== 200) continue;
      if (this.#isAllowed(exchange)) this.#noteFlaw(input, exchange);
      else {
        const last = await this.#confirm(input, exchange);
        if (last === undefined) return false;
        if (statusOf(last) === undefined) silences += 1;
      }
      if (silences === mostSilences) break;
    }
    return true;
  }

  async *#inputs(): AsyncGenerator<Input> {
    const seen = new Map<UnusualForm['group'], string>();
    for (const { what, value, write, group } of formsToSend(this.#client, this.#bodies.valid)) {
      // What a service accepts at once, it accepts one by one; a refusal hides what the others of the group would show.
      if (group !== undefined && seen.get(group) === '200') continue;
      const learn = (answer: string): void => {
        if (group !== undefined && !seen.has(group)) seen.set(group, answer);
      };
      yield { step: this.#steps.form, id: what, label: what, value, write, learn };
    }
    if (this.#client.excludes('random', 'body')) return;
    const step = this.#steps.random;
    const random = { id: randomBody, label: step.label };
    for (const value of randomBodies(this.#client, this.#operation, this.#bodies.valid))
      if (!isExcludedBody(this.#client, value, this.#bodies.valid))
        yield { step, ...random, value, write: plainBody };
  }

  /** Sees after the first of each wrong response whether the valid call still succeeds; undefined where it does not. */
  async #confirm(input: Input, exchange: Exchange): Promise<Exchange | undefined> {
    const answer = describeAnswer(exchange);
    if (this.#wrong.has(answer)) return exchange;
    const attempts = await attemptsToRecover(this.#client, this.#steps.recovery, answer);
    if (attempts === undefined) return undefined;
    // The target was unavailable for a while: sending the body again shows whether the body was the cause.
    const { id, label } = input;
    const last = attempts > 1 ? await this.#bodies.call(this.#steps.repeated, input, id, label) : exchange;
    if (describeAnswer(last) === answer) this.#wrong.set(answer, input);
    return last;
  }

  #noteFlaw(input: Input, exchange: Exchange): void {
    const flaw = flawOf(exchange);
    if (flaw === undefined) return;
    if (sentBody(exchange)?.text === '{}') this.#common.add(flaw);
    if (!this.#flawed.has(flaw)) this.#flawed.set(flaw, input);
  }

  async #reduceAll(): Promise<void> {
    let left = mostReductions;
    const reduceWhere = async (input: Input, isSame: (exchange: Exchange) => boolean): Promise<void> => {
      if (left === 0) return;
      left -= await reduceBody(this.#client, input, this.#bodies.valid, {
        budget: Math.min(left, mostForOne),
        stillFails: async (smaller) =>
          !isExcludedBody(this.#client, smaller.value, this.#bodies.valid) &&
          isSame(await this.#bodies.call(this.#steps.smaller, smaller, randomBody)),
      });
    };
    for (const [answer, input] of this.#wrong) {
      if (answer.includes('timeout')) continue;
      await reduceWhere(
        input,
        (exchange) => describeAnswer(exchange) === answer && !this.#isAllowed(exchange),
      );
    }
    for (const [flaw, input] of this.#flawed) {
      // Any request shows a defect of all error bodies.
      if (!this.#common.has(flaw)) await reduceWhere(input, (exchange) => flawOf(exchange) === flaw);
    }
  }

  async #sendEarlier(): Promise<void> {
    const single = unusualForms(this.#bodies.valid);
    const forms = [...combinedForms(this.#bodies.valid, single), ...single];
    const step = this.#steps.repeated;
    for (const earlier of this.#client.earlier) {
      const form = forms.find(({ what }) => what === earlier.row?.['body']);
      const exchange =
        form === undefined
          ? await this.#bodies.again(step, earlier)
          : await this.#bodies.call(step, form, form.what, form.what);
      if (exchange === undefined || this.#isAllowed(exchange)) continue;
      const answer = describeAnswer(exchange);
      if ((await attemptsToRecover(this.#client, this.#steps.recovery, answer)) === undefined) return;
    }
  }

  #isAllowed(exchange: Exchange): boolean {
    return mayAnswerAnyBody(this.#operation, exchange, this.#valid);
  }
}

/** The defect of an error body, in words that tell defects apart; undefined where there is none. */
function flawOf(exchange: Exchange): string | undefined {
  const fault = errorBodyFault(exchange);
  return fault && `${statusOf(exchange)} with ${fault}`;
}
