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
export class RideAlong {
  readonly #context: RidingContext;
  readonly #for: SendingAttempt;
  readonly #facts: CaseFacts;
  readonly #earlier: readonly Exchange[];
  readonly #calls = new Map<string, number>();
  /** Factors that turned out to matter, and so ride along no more. */
  readonly #noticed = new Set<string>();

  constructor(
    context: RidingContext,
    sendingFor: SendingAttempt,
    facts: CaseFacts,
    earlier: readonly Exchange[] = [],
  ) {
    this.#context = context;
    this.#for = sendingFor;
    this.#facts = facts;
    this.#earlier = earlier;
  }

  /**
   * The riders of a call that expects a status, without the factors that the call or the target file sets. A call that an earlier attempt
   * made keeps its riders.
   */
  on(spec: CallSpec): readonly Rider[] {
    const { target, disguise, keys, seed, profile } = this.#context;
    if (spec.neutral !== undefined || disguise !== undefined) return [];
    const same = this.#sameAs(spec);
    if (same !== undefined) return ridersOf(same);
    const own = new Set([
      ...target.headers.map(([name]) => name.toLowerCase()),
      ...Object.keys(spec.headers ?? {}),
      ...(spec.credential === undefined ? [] : ['authorization']),
      ...(spec.query === undefined ? [] : ['query']),
    ]);
    const operation = spec.operation ?? this.#for.operation;
    const step = `${operation.id} ${spec.step ?? spec.label}`;
    const nth = this.#calls.get(step) ?? 0;
    this.#calls.set(step, nth + 1);
    const random = seededRandom(seed, 'riders', this.#for.check, this.#for.operation.id, step);
    const isLoaded = profileSettings[profile].loadsCalls;
    return ridersOn(operation, spec, keys, { nth, isLoaded, random }).filter(
      ([name]) => !own.has(name) && !this.#noticed.has(name) && !this.#facts.isNoticedEverywhere(name),
    );
  }

  /** The call of an earlier attempt that this one repeats. */
  #sameAs(spec: CallSpec): Exchange | undefined {
    return this.#earlier.find((one) => callKey(one) === callKey(spec));
  }

  /**
   * Makes a call with its riders, except for refused ones. A call that an earlier attempt made goes without them first, as
   * they rarely matter. After an unexpected response, makes it without riders; if that gets the expected response, and a
   * repetition with riders does not, finds the fewest riders that cause it. The last wrong response decides.
   */
  async call(
    chosen: readonly Rider[],
    spec: CallSpec,
    make: (spec: CallSpec) => Promise<Answered>,
  ): Promise<Answered> {
    const facts = this.#facts;
    const { operation = this.#for.operation } = spec;
    let riding = chosen;
    const isRepeated = this.#sameAs(spec) !== undefined;
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
      this.#noticed.add(factor);
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
        this.#noticed.add(name);
        if (isCompany) facts.notices([name, inCompany]);
      }
      return wrong;
    });
  }
}
