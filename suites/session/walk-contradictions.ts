import { hasStatus } from '../../harness/evidence/answer.ts';
import { groupBy } from '../../harness/group-by.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { idInOneStep } from '../../harness/results/causes/cause-fixes.ts';
import { cancelContradictions } from './cancel-reports.ts';
import { doubtAbout, untouchedSessionOf } from './comparison.ts';
import { fieldsOf, isWrongCall, type SessionEvidence, sessionIdOf } from './session-evidence.ts';
import { showsOf } from './session-fields.ts';
import { type Contradiction, modelContradictions, type RuleViolation } from './session-model.ts';
import { callOf, describeSession, labelAlone, parseWalk, placeOf, walkOf, wayAt } from './walk.ts';

/** A contradiction in a walk. */
export interface WalkContradiction extends Contradiction {
  /** The calls up to the one that shows it, and those at the same time. */
  readonly walk: string;
  /** Why something else may have caused it; undefined where nothing can have. */
  readonly doubt: string | undefined;
  readonly sent: readonly Exchange[];
}

/** What nothing else can have caused. */
const certain = { state: 'unknown', age: 0, isDoubtful: false } as const;

/** Different contradictions that a case reports at most. */
export const mostFindings = 3;

/** Calls of a walk that its finding lists in full. */
const mostTold = 12;

/**
 * What contradicts the model, the most reliable first: what the same calls always showed, and the shortest of these. Effects
 * of an earlier walk can show in a later one, but rarely show every time.
 */
export function walkContradictions(
  session: SessionEvidence,
  isCertain: (contradiction: WalkContradiction) => boolean = () => false,
): readonly WalkContradiction[] {
  const calls = session.exchanges.filter((one) => walkOf(one) !== undefined && !hasStatus(one, 429));
  const model = modelContradictions(session, untouchedSessionOf(session)?.volatilePointers);
  const areShared = model.some(({ rule }) => rule === 'one id');
  const others = [
    ...cancelContradictions(session),
    ...(areShared ? [] : wrongCreatesAtOnce(session)),
    ...cancelledTwice(session),
  ].map((one) => ({ ...certain, end: one.exchange, ...one }));
  const found = [...model, ...others].flatMap((one): readonly WalkContradiction[] => {
    const { end } = one;
    const walks = [end, ...session.besides(end)].flatMap((each) => walkOf(each) ?? []);
    const [walk] = walks.sort((a, b) => b.length - a.length);
    if (walk === undefined) return [];
    const sent = calls.filter((each) => placeOf(each)?.nth === placeOf(end)?.nth);
    const whole = {
      ...one,
      ...companyOf(session, one),
      walk,
      sent: sent.slice(0, sent.indexOf(end) + 1),
      doubt: doubtAbout(session, one),
    };
    return [isCertain(whole) ? { ...whole, doubt: undefined, isDoubtful: false } : whole];
  });
  const sent = groupBy(calls, walkOf);
  const shown = groupBy(found, ({ walk }) => walk);
  const share = ({ walk }: WalkContradiction): number =>
    Math.min((shown.get(walk)?.length ?? 0) / (sent.get(walk)?.length ?? 1), 1);
  const isWeak = ({ rule, clause }: WalkContradiction): number =>
    Number(rule === 'refusal' && clause !== undefined);
  return found.sort((a, b) => isWeak(a) - isWeak(b) || share(b) - share(a) || a.sent.length - b.sent.length);
}

/** Equal for contradictions with the same defect, of which one is reported. */
export function kindOf({ rule, end, actual, statement }: WalkContradiction): string {
  if (rule === 'refusal' || rule === 'others') return rule;
  return rule === 'cancel' ? statement : [rule, end.operation, isWrongCall(end), actual].join(' ');
}

/** What a finding says of a contradiction. */
export function violationOf(contradiction: WalkContradiction): Violation {
  const { rule, end, state, age, isDoubtful, isRepeated, doubt, walk, sent, ...violation } = contradiction;
  // What contradicts a cancel rarely has to do with other sessions, and a long walk is too much to read.
  const isOnItsOwn = rule === 'cancel' || parseWalk(walk).length > mostTold;
  const told = isOnItsOwn ? describeSession(walk, callOf(end)?.session ?? '') : walk;
  return {
    steps: sent,
    ...violation,
    ...(violation.detail === undefined && { detail: told }),
    ...(rule === 'status' && !walk.includes('cancel') && hasStatus(end, 404) && unread),
    reproduction: `# in this order; each letter is a separate session: ${walk}`,
  };
}

/** What to say of a read before any cancel that does not find its session. */
const unread: Partial<Violation> = {
  headline: 'A created checkout session could not be read back',
  fix: 'Store the session before answering the create, and look it up by exactly the issued id. If only some sessions are not found, compare their ids with those of the others: a lost leading zero, a letter in another case, or a part that selects a replica or a cache.',
};

/** What was under way beside a call that failed so, and that was answered alone. */
function companyOf(session: SessionEvidence, { end, rule }: Contradiction): { readonly company?: string } {
  const [other] = session.besides(end);
  const isFailure = end.failure !== undefined || (end.response?.status ?? 0) >= 500;
  const isAnsweredAlone = session.exchanges.some(
    (one) => one.operation === end.operation && hasStatus(one, 200) && session.besides(one).length === 0,
  );
  const call = other && callOf(other);
  if (rule !== 'status' || call === undefined || !isFailure || !isAnsweredAlone) return {};
  const isOnSame = call.session === callOf(end)?.session;
  return {
    company: `with ${isOnSame ? `the call “${labelAlone(call)}”` : 'a call on another session'} under way`,
  };
}

const oneId = {
  statement: 'Two different creates at once got one session id',
  expected: 'a separate id for each, as for consecutive creates',
  actual: '200, and the id that a concurrent create got',
  fix: idInOneStep,
};

const anotherAnswer = {
  statement: 'A create got the response of a concurrent one',
  expected: '200 with what its own body requested, as for consecutive creates',
  actual: '200 with what the body of another create requested',
  fix: 'Keep the response to each create with its own request, not in a variable, batch or connection that creates share.',
};

/** What creates show at once that they do not one after another, such as one id for creates that are not equal. */
function wrongCreatesAtOnce(session: SessionEvidence): readonly RuleViolation[] {
  const [pointer] = session.idPointers(session.by('reads-session')[0]);
  if (pointer === undefined) return [];
  const idIn = (exchange: Exchange): unknown => fieldsOf(exchange)?.get(pointer);
  const creates = session.by('creates-session');
  const atOnce = creates.filter((one) => session.besides(one).some((other) => creates.includes(other)));
  const inTurn = creates.filter((one) => !atOnce.includes(one) && hasStatus(one, 200));
  /** What the body of each made alone, or one that differs only in what each call has of its own. */
  const alone = (like: Exchange): Exchange | undefined =>
    inTurn.find((one) => one.request.body?.text === like.request.body?.text) ??
    inTurn.find((one) => wayAt(one).varied === wayAt(like).varied);
  const answered = atOnce.filter((one) => idIn(one) !== undefined);
  const haveOwnIds = new Set(answered.map(idIn)).size === answered.length;
  const pairs = answered.flatMap((one, at) => answered.slice(0, at).map((other) => [one, other] as const));
  const wrong = pairs.flatMap(([exchange, other]): readonly RuleViolation[] => {
    const [own, otherOwn] = [alone(exchange), alone(other)];
    if (own === undefined || otherOwn === undefined) return [];
    const isShared = idIn(exchange) === idIn(other) && idIn(own) !== idIn(otherOwn);
    const more = {
      rule: 'creates at once',
      clause: 'shared-id',
      exchange,
      steps: [other, exchange],
    } as const;
    if (isShared && showsOf(otherOwn, otherOwn, own)) return [{ ...more, ...oneId }];
    const isSwapped = showsOf(exchange, otherOwn, own) || showsOf(other, own, otherOwn);
    return haveOwnIds && isSwapped ? [{ ...more, ...anotherAnswer }] : [];
  });
  return wrong.slice(0, 1);
}

/** Two cancels at once of which each shows what it alone has sent, though one after another the second is refused. */
function cancelledTwice(session: SessionEvidence): readonly RuleViolation[] {
  const cancels = session.by('ends-session').filter((one) => !isWrongCall(one));
  const inTurn = cancels.filter((one) => session.besides(one).length === 0);
  const isFirst = (cancel: Exchange): boolean =>
    session.callsOn(sessionIdOf(cancel)).find((one) => session.is('ends-session', one)) === cancel;
  const areRefused =
    inTurn.some((one) => hasStatus(one, 404, 409) && !isFirst(one)) &&
    !inTurn.some((one) => hasStatus(one, 409) && isFirst(one));
  const pairs = cancels.flatMap((exchange) =>
    session.besides(exchange).map((other) => [other, exchange] as const),
  );
  const steps = pairs.find(
    ([other, exchange]) =>
      [other, exchange].every((one) => session.is('ends-session', one) && hasStatus(one, 200)) &&
      sessionIdOf(other) === sessionIdOf(exchange) &&
      showsOf(other, other, exchange) &&
      showsOf(exchange, exchange, other),
  );
  if (steps === undefined || !areRefused) return [];
  const violation = {
    rule: 'cancels at once',
    statement: 'A session could be cancelled twice at once',
    expected: '200 to one cancel, and 404 or 409 to the other, as for consecutive cancels',
    actual: '200, and its own reason, for each',
    clause: 'at-once',
    fix: 'Check and change the state in one step: a transaction that locks the row, or one conditional UPDATE whose row count decides between 200 and 409.',
    exchange: steps[1],
    steps,
  } as const;
  return [violation];
}
