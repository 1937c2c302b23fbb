import { hasStatus } from '../../harness/evidence/answer.ts';
import { groupBy } from '../../harness/group-by.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { cancelledTwice, wrongCreatesAtOnce } from './calls-at-once.ts';
import { cancelContradictions } from './cancel-reports.ts';
import { doubtAbout, untouchedSessionOf } from './comparison.ts';
import { isWrongCall, type SessionEvidence } from './session-evidence.ts';
import { type Contradiction, certainly, modelContradictions } from './session-model.ts';
import { callOf, labelAlone, placeOf, walkOf } from './walk.ts';

/** A contradiction in a walk. */
export interface WalkContradiction extends Contradiction {
  /** The calls up to the one that shows it, and those at the same time. */
  readonly walk: string;
  /** Why something else may have caused it; undefined where nothing can have. */
  readonly doubt: string | undefined;
  readonly sent: readonly Exchange[];
}

/** Different contradictions that a case reports at most. */
export const mostFindings = 3;

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
  const atOnce = [
    ...(areShared ? [] : wrongCreatesAtOnce(session)).map((one) => ['creates at once', one] as const),
    ...cancelledTwice(session).map((one) => ['cancels at once', one] as const),
  ].map(([rule, one]): Contradiction => ({ ...one, ...certainly(rule, 'unknown'), end: one.exchange }));
  const found = [...model, ...cancelContradictions(session), ...atOnce].flatMap(
    (one): readonly WalkContradiction[] => {
      const { end } = one;
      const walk = [end, ...session.besides(end)]
        .map((each) => walkOf(each) ?? '')
        .sort((a, b) => b.length - a.length)[0];
      if (walk === undefined || walk === '') return [];
      const sent = calls.filter((each) => placeOf(each)?.nth === placeOf(end)?.nth);
      const whole = {
        ...one,
        ...companyOf(session, one),
        walk,
        sent: sent.slice(0, sent.indexOf(end) + 1),
        doubt: doubtAbout(session, one),
      };
      return [isCertain(whole) ? { ...whole, doubt: undefined, isDoubtful: false } : whole];
    },
  );
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
  return {
    steps: sent,
    ...violation,
    ...(violation.detail === undefined && { detail: walk }),
    ...(rule === 'status' && !walk.includes('cancel') && unread(end)),
    reproduction: `# in this order; each letter is a session of its own: ${walk}`,
  };
}

/** What to say of a read before any cancel that does not find its session. */
function unread(end: Exchange): Partial<Violation> {
  return hasStatus(end, 404)
    ? {
        headline: 'A created checkout session could not be read back',
        fix: 'Store the session before answering the create, and look it up by exactly the issued id. If only some sessions are not found, compare their ids with those of the others: a lost leading zero, a letter in another case, or a part that selects a replica or a cache.',
      }
    : {};
}

/** What was under way beside a call that failed so, and that was answered alone. */
function companyOf(session: SessionEvidence, { end, rule }: Contradiction): { readonly company?: string } {
  const [other] = session.besides(end);
  const isFailure = end.failure !== undefined || (end.response?.status ?? 0) >= 500;
  const isAnsweredAlone = session.exchanges.some(
    (one) => one.operation === end.operation && hasStatus(one, 200) && session.besides(one).length === 0,
  );
  const call = other && callOf(other);
  if (rule !== 'status' || call === undefined || !isFailure || !isAnsweredAlone) return {};
  return { company: `with the call “${labelAlone(call)}” under way` };
}
