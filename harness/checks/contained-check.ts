import { CannotJudge } from '../requests/inconclusive-error.ts';
import type { ActiveCheck, Check, CollectiveCheck, IdentifiedCheck, PassiveCheck } from '../model/check.ts';
import type { ExchangeJudgement, Judgement } from '../model/evaluation.ts';
import { isOwn } from './custom-check.ts';

/** Milliseconds after which a probe that does not end is given up. */
const mostMs = 5 * 60_000;

const failures = new WeakMap<object, string>();

/**
 * A check of somebody else's code, kept from doing harm: what it throws where others would suffer from it, while
 * exchanges are recorded, is remembered instead, and what it says is looked at before it is believed.
 */
export function containedCheck(check: IdentifiedCheck): IdentifiedCheck {
  switch (check.kind) {
    case 'active':
      return containedActive(check);
    case 'passive':
      return containedPassive(check);
    case 'collective':
      return containedCollective(check);
  }
}

function containedActive(check: IdentifiedCheck<ActiveCheck>): IdentifiedCheck<ActiveCheck> {
  // They come after all of ours in any case.
  const { last: _last, ...rest } = check;
  return {
    ...rest,
    probe: (caller, operation) => inTime(check.probe(caller, operation)),
    judge: (evidence) => examined(check.judge(evidence)),
  };
}

function containedPassive(check: IdentifiedCheck<PassiveCheck>): IdentifiedCheck {
  const contained: IdentifiedCheck<PassiveCheck> = {
    ...check,
    judge: (...given) => remembering(contained, () => examinedOfExchange(check.judge(...given)), undefined),
  };
  return contained;
}

function containedCollective(check: IdentifiedCheck<CollectiveCheck>): IdentifiedCheck {
  const failed: Judgement = { outcome: 'inconclusive', reason: 'the check failed' };
  const contained: IdentifiedCheck<CollectiveCheck> = {
    ...check,
    novelty: (exchange) => remembering(contained, () => check.novelty(exchange), undefined),
    judge: (evidence) => remembering(contained, () => examined(check.judge(evidence)), failed),
  };
  return contained;
}

/** What a contained check threw first; undefined while it threw nothing. */
export function failureOf(check: Check): string | undefined {
  return failures.get(check);
}

/** Whose defect it is that a check threw, for its message. */
export function blameOf(check: string): string {
  return isOwn(check) ? `defect of the check ${check}` : 'defect of the harness';
}

function remembering<T>(check: object, act: () => T, otherwise: T): T {
  try {
    return act();
  } catch (error) {
    if (!failures.has(check)) failures.set(check, (error as Error).stack ?? String(error));
    return otherwise;
  }
}

async function inTime(probe: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await Promise.race([
      probe,
      new Promise<never>((_resolve, reject) => {
        timer = setTimeout(
          () => reject(new CannotJudge(`its probe did not end within ${mostMs / 1000} s`)),
          mostMs,
        );
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

function examined(judgement: Judgement): Judgement {
  refuse(judgement, textsOfJudgement(judgement));
  return judgement;
}

function textsOfJudgement(judgement: Judgement | undefined): readonly unknown[] {
  switch (judgement?.outcome) {
    case 'pass':
      return [judgement.message];
    case 'inconclusive':
    case 'not-applicable':
      return [judgement.reason];
    case 'violated':
      return judgement.violations.length === 0 ? [undefined] : judgement.violations.flatMap(textsOf);
    default:
      return [undefined];
  }
}

function examinedOfExchange(judgement: ExchangeJudgement): ExchangeJudgement {
  if (judgement === undefined || judgement === 'holds') return judgement;
  refuse(judgement, textsOf(judgement));
  return judgement;
}

function textsOf(violation: Exclude<ExchangeJudgement, 'holds' | undefined>): readonly unknown[] {
  const { statement, expected, actual, exchange, clause } = violation;
  // Requirements of one's own have no clauses.
  return [statement, expected, actual, exchange?.id, clause === undefined ? '' : undefined];
}

function refuse(judgement: unknown, texts: readonly unknown[]): void {
  if (texts.every((text) => typeof text === 'string')) return;
  throw new TypeError(`its judge gave what is no judgement: ${JSON.stringify(judgement)?.slice(0, 200)}`);
}
