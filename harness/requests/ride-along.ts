import { isSafe, type Operation } from '../../spec/operation.ts';
import { callKey, statusOf } from '../evidence/answer.ts';
import type { Reduced } from '../fuzzing/reduce.ts';
import type { Exchange } from '../model/exchange.ts';
import {
  type Answered,
  type CallChanges,
  type CallSpec,
  isExpected,
  type RequestContext,
  type SendingAttempt,
} from './call-spec.ts';
import { otherKeys, type Rider, RiderRows, refusedFactors, ridersOf } from './riders.ts';

/** Calls with less of what rides along, at the most. */
const mostWithFewer = 16;

type RidingContext = Pick<RequestContext, 'seed' | 'profile' | 'target' | 'disguise' | 'keys'>;

/** Sends what a wrong response calls for, as far as there is room. */
interface FollowUps {
  affords(requests: number): boolean;
  fewest<T>(
    parts: readonly T[],
    stillFails: (some: readonly T[]) => Promise<boolean>,
    budget: number,
  ): Promise<Reduced<readonly T[]>>;
}

/** What a service may not notice, on the calls of one attempt that expect a status. */
export class RideAlong {
  readonly #context: RidingContext;
  readonly #for: SendingAttempt;
  /** By step. */
  readonly #rows = new Map<string, RiderRows>();
  /** Factors that turned out to matter, and so ride along no more. */
  readonly #noticed = new Set<string>();

  constructor(context: RidingContext, sendingFor: SendingAttempt) {
    this.#context = context;
    this.#for = sendingFor;
  }

  /**
   * What rides along on a call, but for what it or the target file sets; nothing on a call that expects no status. A call
   * that an earlier attempt made has what it had then.
   */
  on(spec: CallSpec, earlier: readonly Exchange[]): readonly Rider[] {
    const { target, disguise } = this.#context;
    if (spec.expects === undefined || spec.neutral !== undefined || disguise !== undefined) return [];
    const same = earlier.find((one) => callKey(one) === callKey(spec));
    if (same !== undefined) return ridersOf(same);
    const own = new Set([
      ...target.headers.map(([name]) => name.toLowerCase()),
      ...Object.keys(spec.headers ?? {}),
      ...(spec.credential === undefined ? [] : ['authorization']),
      ...(spec.query === undefined ? [] : ['query']),
    ]);
    const operation = spec.operation ?? this.#for.operation;
    return this.#rowsOf(`${operation.id} ${spec.step ?? spec.label}`, operation)
      .next(operation, spec)
      .filter(([name]) => !own.has(name) && !this.#noticed.has(name));
  }

  #rowsOf(step: string, called: Operation): RiderRows {
    const { check, operation } = this.#for;
    const others = otherKeys(called, this.#context.keys);
    const rows = this.#rows.get(step) ?? new RiderRows(this.#context, others, check, operation.id, step);
    this.#rows.set(step, rows);
    return rows;
  }

  /**
   * Makes a call with what rides along, but for what it is refused for. After an unexpected answer, makes it without; where
   * that is answered as expected, and a repetition is not, finds the fewest values that cause the answer. The last wrong
   * answer decides.
   */
  async call(
    chosen: readonly Rider[],
    spec: CallSpec,
    send: (changes: CallChanges) => Promise<Answered>,
    client: FollowUps,
  ): Promise<Answered> {
    let riding = chosen;
    let wrong = await send({ neutral: riding });
    const refused = refusedFactors(wrong.exchange);
    if (refused.length > 0) {
      for (const factor of refused) this.#noticed.add(factor);
      riding = riding.filter(([factor]) => !refused.includes(factor));
      wrong = await send({ neutral: riding });
    }
    // What has acted meets another state the next time, which says nothing of the headers.
    const hasActed = !isSafe(spec.operation ?? this.#for.operation) && statusOf(wrong.exchange) === 200;
    if (isExpected(wrong.exchange, spec) || hasActed || !client.affords(mostWithFewer)) return wrong;
    const plain = await send({ neutral: [] });
    if (!isExpected(plain.exchange, spec)) return plain;
    const stillFails = async (neutral: readonly Rider[]): Promise<boolean> => {
      const answered = await send({ neutral });
      if (isExpected(answered.exchange, spec)) return false;
      wrong = answered;
      return true;
    };
    if (!(await stillFails(riding))) return wrong;
    const { input } = await client.fewest(riding, stillFails, mostWithFewer);
    for (const [name] of input) this.#noticed.add(name);
    return wrong;
  }
}
