import type { CaseClient } from '../../harness/calls/case-client.ts';
import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, violatedOr } from '../../harness/checks/outcomes.ts';
import { namedSteps, probe, reduction, type Steps } from '../../harness/checks/step.ts';
import { defined } from '../../harness/defined.ts';
import { describeAnswer, hasStatus } from '../../harness/evidence/answer.ts';
import { Draw } from '../../harness/fuzzing/draw.ts';
import { groupBy } from '../../harness/group-by.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import type { Planned } from '../../harness/sampling/profile.ts';
import { type Count, chosen } from '../../harness/sampling/step-plan.ts';
import type { Operation, OperationRole } from '../../spec/operation.ts';
import { type Company, compareDoubtful, untouchedSteps } from './comparison.ts';
import { type Continue, SessionClient } from './session-client.ts';
import { isWrongCall, SessionEvidence } from './session-evidence.ts';
import {
  describeWalk,
  neutralWays,
  normalizeWalk,
  parseWalk,
  simplerWalks,
  type Walk,
  type WalkCall,
  walkOf,
  wayOf,
  wrongKeys,
} from './walk.ts';
import {
  kindOf,
  mostFindings,
  violationOf,
  type WalkContradiction,
  walkContradictions,
} from './walk-contradictions.ts';

/** A check that sends walks, and reports some of what contradicts the model of sessions. */
interface WalkCheck
  extends Pick<ActiveCheck, 'requirement' | 'title'>,
    Partial<Pick<ActiveCheck, 'stage' | 'beginsFirst' | 'needs'>> {
  readonly roles: readonly OperationRole[];
  readonly walks: readonly Walks[];
  /** Whether the check reports a contradiction. */
  readonly reports: (contradiction: WalkContradiction, session: SessionEvidence) => boolean;
  /** The clause that a contradiction violates, where the contradiction does not say it. */
  readonly clauseOf?: (contradiction: WalkContradiction) => string | undefined;
  /** Those that no time and no other session can cause. */
  readonly isCertain?: (contradiction: WalkContradiction) => boolean;
  /** What else happens while an untouched session is watched. */
  readonly company?: Company;
  /** Those of the calls that the responses to the walks call for. */
  readonly steps?: Steps;
  /** Sends these calls. */
  readonly followUp?: (sessions: SessionClient, last: Continue) => Promise<unknown>;
  /** What the responses say whether or not something is contradicted; undefined for nothing. */
  readonly first?: (session: SessionEvidence) => Evaluation | undefined;
  /** The evaluation where nothing is contradicted. */
  readonly evaluate: (session: SessionEvidence) => Evaluation;
}

/** Maximum requests of one attempt for simplifying its walks, and walks that wait. */
const simplifyingRequests = 60;
const simplifyingWaits = 10;

/** Builds a check whose probe uses sessions while no other probe of the run does; those left open are cancelled. */
export function walkCheck(check: WalkCheck): ActiveCheck {
  const { roles, walks, reports, clauseOf, isCertain, company = 'nothing', followUp, first, ...rest } = check;
  const steps = namedSteps({
    call: probe('call of a walk', { times: callsIn(walks) }),
    simplifiedCall: reduction('call of a simplified walk'),
  });
  const followUps = Object.entries({ ...untouchedSteps, ...check.steps }).map(
    ([name, step]) => [name, { ...step, followUp: true }] as const,
  );
  const contradictions = (session: SessionEvidence): readonly WalkContradiction[] =>
    walkContradictions(session, isCertain).filter((one) => reports(one, session));

  async function send(sessions: SessionClient): Promise<void> {
    const { client } = sessions;
    // The walks that earlier attempts answered wrongly, as far as the calls that show it.
    const earlier = [...new Set(client.earlier.flatMap((one) => walkOf(one) ?? []))];
    const isRetry = earlier.length > 0;
    const planned = plannedWalks(client, walks);
    const chosen = isRetry ? wholeWalks(earlier, planned) : planned;
    const found = (): readonly WalkContradiction[] => contradictions(sessions.evidence);
    const sendAll = async (all: readonly Walk[]): Promise<void> => {
      for (const walk of all) {
        const more = await sessions.walk(walk, steps.call);
        if (walk === all.at(-1)) await followUp?.(sessions, more);
        await sessions.cancelOpen();
      }
    };
    await sendAll(chosen);
    // Sessions of other cases may have kept a target from completing a walk.
    if (isRetry && found().length === 0) await sendAll(chosen);
    // Sessions that ended soon need the shortest comparison.
    const youngest = ofEachKind(found().toSorted((a, b) => a.age - b.age));
    await compareDoubtful(sessions, youngest, company);
    // Sessions that end while nobody uses them are looked at right away.
    const ended = found().filter(({ doubt, walk }) => doubt !== undefined && walk.includes('wait'));
    const waited = chosen.filter((walk) => ended.some((one) => describeWalk(walk).startsWith(one.walk)));
    await sendAll(waited.map((walk) => walk.filter(({ act }) => act !== 'wait')));
    if (!isRetry) await simplify(sessions, found());
  }

  async function simplify(sessions: SessionClient, found: readonly WalkContradiction[]): Promise<void> {
    const { client } = sessions;
    const { exchanges, caseOperation: operation } = client;
    const most = exchanges.length + simplifyingRequests;
    for (const wrong of ofEachKind(found.filter(isSure))) {
      const start = parseWalk(wrong.walk);
      // What goes out together with the wrong call rarely matters.
      const own = parseWalk(walkOf(wrong.end) ?? wrong.walk);
      await client.smallest(start, {
        smaller: (walk) => (walk === start ? [own, ...simplerWalks(walk)] : simplerWalks(walk)),
        keyOf: describeWalk,
        budget: wrong.walk.includes('wait') ? simplifyingWaits : simplifyingRequests,
        stillFails: async (simpler) => {
          const before = exchanges.length;
          if (before + simpler.length > most) return false;
          await sessions.walk(simpler, steps.simplifiedCall);
          await sessions.cancelOpen();
          const sent = new SessionEvidence({ exchanges: exchanges.slice(before), operation });
          return contradictions(sent).some((one) => kindOf(one) === kindOf(wrong));
        },
      });
    }
  }

  return activeCheck({
    needs: () => ['scoped-key', 'valid-call'],
    ...rest,
    applies: ({ role }) => role !== undefined && roles.includes(role),
    weight: (operation) =>
      walksFor(walks, operation).some(({ weight }) => weight === undefined) ? 'high' : 'medium',
    steps: { ...steps, ...Object.fromEntries(followUps) },
    alone: () => check.stage === 'last',
    probe: (client) =>
      client.inTurn(async () => {
        const sessions = new SessionClient(client);
        try {
          await send(sessions);
        } finally {
          await sessions.cancelOpen();
        }
      }),
    evaluate: (evidence) => {
      const session = new SessionEvidence(evidence);
      const found = contradictions(session);
      const said = first?.(session);
      if (said !== undefined) return said;
      const violations = ofEachKind(found.filter(isSure)).map((one) => ({
        ...violationOf(one),
        ...defined({ clause: clauseOf?.(one) }),
      }));
      return violatedOr(violations, () => {
        const uncertain = found.find(({ walk }) => !walk.includes('wait'));
        if (uncertain === undefined) return check.evaluate(session);
        const { exchange, actual, doubt } = uncertain;
        const reason = `${exchange.label} was answered ${actual}, but ${doubt}, so something else may have changed the session`;
        return notTested(reason, session.remedy);
      });
    },
  });
}

/** The planned walks that begin so; a walk that is none of these ends with a view of the session of its last call. */
function wholeWalks(texts: readonly string[], planned: readonly Walk[]): readonly Walk[] {
  const walks = texts.map((text) => {
    const whole = planned.find((walk) => describeWalk(walk).startsWith(text));
    const walk = parseWalk(text);
    const end = walk.at(-1);
    const isShown = end === undefined || end.ways.length === 0;
    return whole ?? (isShown ? walk : [...walk, { ...end, act: 'read', ways: [] } as const]);
  });
  return [...new Map(walks.map((walk) => [describeWalk(walk), walk])).values()];
}

function isSure({ doubt }: WalkContradiction): boolean {
  return doubt === undefined;
}

function ofEachKind(found: readonly WalkContradiction[]): readonly WalkContradiction[] {
  return [...groupBy(found, kindOf).values()].flatMap(([one]) => one ?? []).slice(0, mostFindings);
}

/** Why nothing can be said where the first valid read or cancel was not answered 200. */
export function obstacleOf(session: SessionEvidence): Evaluation {
  const [exchange] = session
    .of('call')
    .filter((one) => !session.is('creates-session', one) && !isWrongCall(one) && !hasStatus(one, 200));
  if (exchange === undefined) return inconclusive('no create was answered with 200, or no call could follow');
  const [call, requirement] = session.is('ends-session', exchange)
    ? ['cancel', 'SESSION-2']
    : ['read', 'SESSION-1'];
  return notTested(`the ${call} was answered ${describeAnswer(exchange)}, which ${requirement} evaluates`);
}

/** Walks that a run plans, one a line. */
interface Walks extends Planned {
  /** At operations of this role; at all of the check if absent. */
  readonly role?: OperationRole;
  readonly calls: string;
  /** Random walks besides, per requested random input. */
  readonly random?: number;
}

/** Walks that a quick run sends in place of all others. */
export function joined(calls: string, role?: OperationRole): Walks {
  return { ...(role && { role }), joined: 'all', calls };
}

/** Walks that other runs send, the simplest first. */
export function apart(calls: string, role?: OperationRole, random?: number): Walks {
  return { ...(role && { role }), weight: 'medium', calls, ...(random && { random }) };
}

/** Calls in a random walk, excluding the creates, the views of other sessions, and the final cancels. */
const [fewest, most] = [3, 6];

/** Calls in the longest random walk. */
const longest = 2 * most + 9;

/** One of so many calls that may carry what no service notices does. */
const neutralShare = 3;

/** The walks of a case: the same for the same seed. */
function plannedWalks(client: CaseClient, walks: readonly Walks[]): readonly Walk[] {
  const draw = new Draw(client.random('orders'));
  const all = client.chosen(walksFor(walks, client.caseOperation)).flatMap((one) => {
    const random = Array.from({ length: randomOnes(one, client.fuzzRuns) }, () => randomWalk(draw));
    return [...fixedOnes(one), ...random];
  });
  return all.map((walk) => walk.map((call) => withClient(call, draw, client)));
}

/** The number of calls in the walks for an operation. */
function callsIn(walks: readonly Walks[]): Count {
  return (operation, fuzzRuns, profile) => {
    const all = chosen(walksFor(walks, operation), profile);
    const fixed = all.flatMap(fixedOnes).flat().map(requestsOf);
    const random = all.map((one) => randomOnes(one, fuzzRuns) * longest);
    return [...fixed, ...random].reduce((sum, requests) => sum + requests, 0);
  };
}

/** One text after the other, as some take given words alone. */
const textTries = 3;

function requestsOf(call: WalkCall): number {
  if (call.act === 'wait') return 0;
  const { varied: [first] = [] } = wayOf(call);
  return call.act === 'create' && typeof first === 'function' ? textTries : 1;
}

/** The walks at an operation. */
function walksFor(walks: readonly Walks[], { role }: Operation): readonly Walks[] {
  return walks.filter((one) => one.role === undefined || one.role === role);
}

function fixedOnes({ calls }: Walks): readonly Walk[] {
  return calls.split(/\n\s*/).map(parseWalk);
}

function randomOnes({ random = 0 }: Walks, fuzzRuns: number): number {
  return Math.ceil(fuzzRuns * random);
}

/** Lets what no service notices ride along on a call, and names no key that the target file lacks. */
function withClient(call: WalkCall, draw: Draw, client: CaseClient): WalkCall {
  if (call.act === 'wait') return call;
  const rides = draw.whole(1, neutralShare) === 1 && wayOf(call).neutral === undefined;
  const way = draw.of(neutralWays);
  const known = (name: string): string =>
    name === 'with a key without the scope' && client.keys.unscoped === undefined
      ? 'with an unknown key'
      : name;
  return { ...call, ways: [...(rides ? [way] : []), ...call.ways].map(known) };
}

/**
 * Creates each session at its first use or at the beginning, looks at another after each call that is no read, and cancels the
 * open ones.
 */
function randomWalk(draw: Draw): Walk {
  const calls = draw.list(fewest, most, (): WalkCall => {
    const act = draw.of(['read', 'cancel', 'cancel'] as const);
    const isWrong = draw.whole(1, 3) !== 1;
    return { act, session: draw.of(['A', 'A', 'B', 'C']), ways: isWrong ? [draw.of(wrongKeys)] : [] };
  });
  const atOnce = draw.whole(0, 1) === 1;
  const plain = (act: WalkCall['act'], session: string): WalkCall => ({ act, session, ways: [] });
  const sessions = [...new Set(calls.map(({ session }) => session))];
  const isCancelled = (session: string): boolean =>
    calls.some((one) => one.session === session && one.act === 'cancel' && one.ways.length === 0);
  const walk = calls.flatMap((one, at): Walk => {
    const seen = atOnce ? sessions : [...new Set(calls.slice(0, at + 1).map(({ session }) => session))];
    const others = seen.filter((session) => session !== one.session);
    const other = others[at % Math.max(1, others.length)];
    const view = one.act === 'read' || other === undefined ? [] : [plain('read', other)];
    return [plain('create', one.session), one, ...view];
  });
  return normalizeWalk([
    ...(atOnce ? sessions.map((session) => plain('create', session)) : []),
    ...walk,
    ...sessions.filter((session) => !isCancelled(session)).map((session) => plain('cancel', session)),
  ]);
}
