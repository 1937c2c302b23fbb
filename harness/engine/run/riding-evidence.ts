import type { Steps } from '../../checks/step.ts';
import { defined } from '../../defined.ts';
import { callKey, describeAnswer, isBlockedInFront, statusOf } from '../../evidence/answer.ts';
import { groupBy } from '../../group-by.ts';
import type { Evaluation, Violation } from '../../model/evaluation.ts';
import type { Exchange } from '../../model/exchange.ts';
import { isExpected } from '../../requests/call-spec.ts';
import { mostTogether } from '../../requests/noticed-values.ts';
import { describeRiders, pathWithoutRider, refusedFactors } from '../../requests/riders.ts';

/** The effect of riders, as the exchanges of one attempt show it. */
export class RidingEvidence {
  readonly #exchanges: readonly Exchange[];
  readonly #steps: Steps;
  /** By their calls, whichever the key. */
  #alike: ReadonlyMap<string, readonly Exchange[]> | undefined;

  constructor(exchanges: readonly Exchange[], steps: Steps = {}) {
    this.#exchanges = exchanges;
    this.#steps = steps;
  }

  /**
   * The exchanges without those whose call got the same response with fewer riders, or may have been refused for
   * its riders.
   */
  get shown(): readonly Exchange[] {
    return this.#exchanges.filter(
      (one) =>
        one.neutral === undefined ||
        !this.#alikeTo(one).some(
          (other) =>
            isSimpler(other, one) &&
            (refusedFactors(one).length > 0 || describeAnswer(other) === describeAnswer(one)),
        ),
    );
  }

  /**
   * If the same call without riders got the right response, the riders become part of the violation, or a violation
   * of their own if the check finds none.
   */
  complete(evaluation: Evaluation): Evaluation {
    if (evaluation.outcome !== 'violated') {
      const [first] = this.#violations();
      return first === undefined ? evaluation : { outcome: 'violated', violations: [first] };
    }
    const named = (violation: Violation): Violation => ({
      ...defined({ company: this.#companyOf(violation.exchange) }),
      ...violation,
    });
    const [first, ...others] = evaluation.violations;
    return { ...evaluation, violations: [named(first), ...others.map(named)] };
  }

  /** How often the same call, with all that rode along on it, was answered as it should be in this attempt. */
  rightRepetitions(exchange: Exchange): number {
    const { neutral } = exchange;
    if (neutral === undefined) return 0;
    const isSame = (one: Exchange): boolean =>
      String(one.neutral) === String(neutral) && callOf(one, false) === callOf(exchange, false);
    return this.#alikeTo(exchange).filter((one) => isSame(one) && isExpected(one, this.#stepOf(one))).length;
  }

  /** Responses with a status that always occurred with the riders and never without. */
  #violations(): readonly Violation[] {
    return this.#exchanges.flatMap((exchange) => {
      const status = statusOf(exchange);
      const { expects = [] } = this.#stepOf(exchange);
      const isWrong = status !== undefined && !expects.includes(status) && !isBlockedInFront(exchange);
      if (!isWrong || refusedFactors(exchange).length > 0) return [];
      const company = this.#companyOf(exchange);
      const plain = this.#plainOf(exchange);
      const isRepeated = this.#alikeTo(exchange).some(
        (one) => one !== exchange && isSimpler(exchange, one) && statusOf(one) === status,
      );
      if (company === undefined || plain === undefined || !isRepeated) return [];
      return {
        statement: 'The response depends on something that must not affect it',
        expected: `${describeAnswer(plain)}, as without it`,
        actual: describeAnswer(exchange),
        company,
        exchange,
      };
    });
  }

  /** The riders that led to a response; undefined if only all of them did, which is chance. */
  #companyOf(exchange: Exchange): string | undefined {
    const { neutral = [] } = exchange;
    const isReduced =
      neutral.length <= mostTogether || this.#alikeTo(exchange).some((one) => isSimpler(exchange, one));
    if (!isReduced || this.#plainOf(exchange) === undefined) return undefined;
    return `with ${describeRiders(exchange).join(' and ')}`;
  }

  /** The same call without riders, with the right response. */
  #plainOf(exchange: Exchange): Exchange | undefined {
    return this.#alikeTo(exchange).find(
      (one) => one.neutral === undefined && isSimpler(one, exchange) && isExpected(one, this.#stepOf(one)),
    );
  }

  #alikeTo(exchange: Exchange): readonly Exchange[] {
    this.#alike ??= groupBy(this.#exchanges, (one) => callOf(one, true));
    return this.#alike.get(callOf(exchange, true)) ?? [];
  }

  #stepOf({ step = '' }: Exchange): Steps[string] | Record<string, never> {
    return this.#steps[step] ?? {};
  }
}

/** Whether an exchange is the same call as another one with fewer riders. */
function isSimpler(one: Exchange, other: Exchange): boolean {
  const { neutral: fewer = [] } = one;
  const { neutral = [] } = other;
  const isOfKey = neutral.includes('authorization') && !fewer.includes('authorization');
  return (
    fewer.length < neutral.length &&
    fewer.every((name) => neutral.includes(name)) &&
    callOf(one, isOfKey) === callOf(other, isOfKey)
  );
}

function callOf(exchange: Exchange, withAnyKey: boolean): string {
  const { credential, body } = exchange.request;
  const key = withAnyKey ? '' : credential.description;
  return JSON.stringify([exchange.operation, callKey(exchange), key, pathWithoutRider(exchange), body?.text]);
}
