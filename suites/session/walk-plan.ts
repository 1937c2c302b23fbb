import type { CaseClient } from '../../harness/calls/case-client.ts';
import { Draw } from '../../harness/fuzzing/draw.ts';
import type { Planned } from '../../harness/sampling/profile.ts';
import { type Count, chosen } from '../../harness/sampling/step-plan.ts';
import type { Operation, OperationRole } from '../../spec/operation.ts';
import { neutralWays, normalizeWalk, parseWalk, type Walk, type WalkCall, wayOf, wrongKeys } from './walk.ts';

/** Walks that a run plans, one a line. */
export interface Walks extends Planned {
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
export function plannedWalks(client: CaseClient, walks: readonly Walks[]): readonly Walk[] {
  const draw = new Draw(client.random('orders'));
  const all = client.chosen(walksFor(walks, client.caseOperation)).flatMap((one) => {
    const random = Array.from({ length: randomOnes(one, client.fuzzRuns) }, () => randomWalk(draw));
    return [...fixedOnes(one), ...random];
  });
  return all.map((walk) => walk.map((call) => withClient(call, draw, client)));
}

/** The number of calls in the walks for an operation. */
export function callsIn(walks: readonly Walks[]): Count {
  return (operation, fuzzRuns, profile) => {
    const all = chosen(walksFor(walks, operation), profile);
    const fixed = all
      .flatMap(fixedOnes)
      .flat()
      .reduce((sum, call) => sum + requestsOf(call), 0);
    return all.reduce((sum, one) => sum + randomOnes(one, fuzzRuns) * longest, fixed);
  };
}

/** One text after the other, as some take given words alone. */
const textTries = 3;

function requestsOf(call: Walk[number]): number {
  if (call.act === 'wait') return 0;
  const { varied: [first] = [] } = wayOf(call);
  return call.act === 'create' && typeof first === 'function' ? textTries : 1;
}

/** The walks at an operation. */
export function walksFor(walks: readonly Walks[], { role }: Operation): readonly Walks[] {
  return walks.filter((one) => one.role === undefined || one.role === role);
}

function fixedOnes({ calls }: Walks): readonly Walk[] {
  return calls.split(/\n\s*/).map(parseWalk);
}

function randomOnes({ random = 0 }: Walks, fuzzRuns: number): number {
  return Math.ceil(fuzzRuns * random);
}

/** Lets what no service notices ride along on a call, and names no key that the target file lacks. */
function withClient(call: Walk[number], draw: Draw, client: CaseClient): Walk[number] {
  if (call.act === 'wait') return call;
  const rides = draw.whole(1, neutralShare) === 1 && wayOf(call).neutral === undefined;
  const way = draw.of(neutralWays);
  const names = rides ? [way, ...call.ways] : call.ways;
  const known = names.map((name) =>
    name === 'with a key without the scope' && client.keys.unscoped === undefined
      ? 'with an unknown key'
      : name,
  );
  return { ...call, ways: known };
}

function randomWalk(draw: Draw): Walk {
  const calls = draw.list(fewest, most, (): WalkCall => {
    const act = draw.of(['read', 'cancel', 'cancel'] as const);
    const isWrong = draw.whole(1, 3) !== 1;
    return { act, session: draw.of(['A', 'A', 'B', 'C']), ways: isWrong ? [draw.of(wrongKeys)] : [] };
  });
  return complete(calls, draw.whole(0, 1) === 1);
}

const call = (act: WalkCall['act'], session: string): WalkCall => ({ act, session, ways: [] });

/** Creates each session at its first use or at the beginning, looks at another after each change, and cancels the open ones. */
function complete(calls: readonly WalkCall[], atOnce: boolean): Walk {
  const sessions = [...new Set(calls.map(({ session }) => session))];
  const isCancelled = (session: string): boolean =>
    calls.some((one) => one.session === session && one.act === 'cancel' && one.ways.length === 0);
  const seen = new Set<string>();
  const walk = calls.flatMap((one, at): Walk => {
    seen.add(one.session);
    const others = [...(atOnce ? sessions : seen)].filter((session) => session !== one.session);
    const other = others[at % Math.max(1, others.length)];
    const view = one.act === 'read' || other === undefined ? [] : [call('read', other)];
    return [call('create', one.session), one, ...view];
  });
  return normalizeWalk([
    ...(atOnce ? sessions.map((session) => call('create', session)) : []),
    ...walk,
    ...sessions.filter((session) => !isCancelled(session)).map((session) => call('cancel', session)),
  ]);
}
