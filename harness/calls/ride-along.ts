import { isSafe } from '../../spec/operation.ts';
import { callKey, statusOf } from '../evidence/answer.ts';
import type { Exchange } from '../model/exchange.ts';
import { type Answered, type CallSpec, isExpected, type SendingAttempt } from '../requests/call-spec.ts';
import { inCompany, mostTogether } from '../requests/noticed-values.ts';
import { type Rider, refusedFactors, ridersOf, ridersOn } from '../requests/riders.ts';
import { profileSettings } from '../sampling/profile.ts';
import { seededRandom } from '../seeded-random.ts';
import type { CaseFacts } from './case-facts.ts';
import type { RunContext } from './run-context.ts';

const mostWithFewer = 16;

type RidingContext = Pick<RunContext, 'seed' | 'profile' | 'target' | 'disguise' | 'keys'>;

/**
 * The riders on the calls of one attempt that expect a status. Each call of a step takes other values than
 * the call before it, so that a step that is sent often meets every value of every factor, in changing combinations.
 */
export interface RideAlong {
  /** The riders of a call, without factors that it or the target file sets; a repeated call keeps its own. */
  on(spec: CallSpec): readonly Rider[];

  /**
   * Makes a call with its riders, except for refused ones. A call that an earlier attempt made goes without them first, as
   * they rarely matter. After an unexpected response, makes it without riders; if that gets the expected response, and a
   * repetition with riders does not, finds the fewest riders that cause it. The last wrong response decides.
   */
  call(
    chosen: readonly Rider[],
    spec: CallSpec,
    make: (spec: CallSpec) => Promise<Answered>,
  ): Promise<Answered>;
}

export function ridingAlong(
  { target, disguise, keys, seed, profile }: RidingContext,
  sendingFor: SendingAttempt,
  facts: CaseFacts,
  earlier: readonly Exchange[] = [],
): RideAlong {
  const calls = new Map<string, number>();
  /** Factors that turned out to matter, and so ride along no more. */
  const noticed = new Set<string>();

  /** The call of an earlier attempt that this one repeats. */
  const sameAs = (spec: CallSpec): Exchange | undefined =>
    earlier.find((one) => callKey(one) === callKey(spec));

  const on = (spec: CallSpec): readonly Rider[] => {
    if (spec.neutral !== undefined || disguise !== undefined) return [];
    const same = sameAs(spec);
    if (same !== undefined) return ridersOf(same);
    const own = new Set([
      ...target.headers.map(([name]) => name.toLowerCase()),
      ...Object.keys(spec.headers ?? {}),
      ...(spec.credential === undefined ? [] : ['authorization']),
      ...(spec.query === undefined ? [] : ['query']),
    ]);
    const operation = spec.operation ?? sendingFor.operation;
    const step = `${operation.id} ${spec.step ?? spec.label}`;
    const nth = calls.get(step) ?? 0;
    calls.set(step, nth + 1);
    const random = seededRandom(seed, 'riders', sendingFor.check, sendingFor.operation.id, step);
    const isLoaded = profileSettings[profile].loadsCalls;
    return ridersOn(operation, spec, keys, { nth, isLoaded, random }).filter(
      ([name]) => !own.has(name) && !noticed.has(name) && !facts.isNoticedEverywhere(name),
    );
  };

  const call = async (
    chosen: readonly Rider[],
    spec: CallSpec,
    make: (spec: CallSpec) => Promise<Answered>,
  ): Promise<Answered> => {
    const { operation = sendingFor.operation } = spec;
    let riding = chosen;
    const isRepeated = sameAs(spec) !== undefined;
    let last = await make({ ...spec, neutral: isRepeated ? [] : riding });
    const isWrong = async (neutral: readonly Rider[]): Promise<boolean> => {
      last = await make({ ...spec, neutral });
      return !isExpected(last.exchange, spec);
    };
    if (isRepeated) {
      if (!isExpected(last.exchange, spec)) return last;
      await isWrong(riding);
    }
    // A query, the last of the factors, is refused more often than a header.
    for (const factor of refusedFactors(last.exchange).toReversed()) {
      const rider = riding.find(([name]) => name === factor);
      riding = riding.filter((one) => one !== rider);
      noticed.add(factor);
      await isWrong(riding);
      if (refusedFactors(last.exchange).length > 0) continue;
      if (rider !== undefined) {
        facts.notices(rider, operation);
        facts.noticesRefusal(rider);
      }
      break;
    }
    // A call that has acted meets another state the next time, which says nothing about the headers.
    const hasActed = !isSafe(operation) && statusOf(last.exchange) === 200;
    if (isExpected(last.exchange, spec) || hasActed || !facts.affords(mostWithFewer)) return last;
    return facts.search(async () => {
      const others = riding.filter(([factor]) => !facts.isNoticedEverywhere(factor));
      if (others.length < riding.length && !(await isWrong(others))) return last;
      riding = others;
      let wrong = last;
      if (await isWrong([])) return last;
      const stillFails = async (some: readonly Rider[]): Promise<boolean> => {
        if (!(await isWrong(some))) return false;
        wrong = last;
        return true;
      };
      if (!(await stillFails(riding))) return wrong;
      const { input } = await facts.fewestValues(riding, (one) => one, stillFails, mostWithFewer);
      const isCompany = input.length > mostTogether;
      for (const [name] of isCompany ? riding : input) {
        noticed.add(name);
        if (isCompany) facts.notices([name, inCompany]);
      }
      return wrong;
    });
  };

  return { on, call };
}
