import { errorBodyFault } from '../../harness/checks/json-fault.ts';
import { steadyControl } from '../../harness/checks/steady-control.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { isMalformed, isStructural, tokensOf } from '../../harness/fuzzing/path-segment.ts';
import { reduce } from '../../harness/fuzzing/reduce.ts';
import { smallerSequences } from '../../harness/fuzzing/smaller-sequences.ts';
import type { Exchange, ExchangeRole } from '../../harness/model/exchange.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import type { Operation } from '../../spec/contract.ts';
import { isAllowedAnswer, mayBeElsewhere } from './path-answers.ts';
import { isExplainedBy, plainToken } from './path-value-cause.ts';
import { isOfKind, type PathValue, pathValues } from './path-values.ts';
import { randomPathValues } from './random-path-values.ts';

/** Values without any answer after which the rest of a parameter is left: each may take the whole time-out. */
const silencesEndured = 3;
/** Random values answered wrongly after which the rest of a parameter is left: it is known to be broken. */
const failuresEndured = 24;
/** Random values under way at once. */
const randomAtOnce = 8;
/** Milliseconds between the calls by which a target that broke down is seen to recover. */
const recoveryMs = 700;
/** Causes of one parameter that are made small, and the requests for each. */
const causesReduced = 3;
const reductionBudget = 80;

export function labelOf(name: string, what: string): string {
  return `${name}: ${what}`;
}

export function againLabel(answer: string): string {
  return `valid call after the answer ${answer}`;
}

export function elsewhereLabel(name: string): string {
  return `${name}: known value and one more segment`;
}

/**
 * Sends the valid call, then it with each value of the corpus and with random ones in each parameter in turn; what is
 * answered wrongly is made as small as it can be. An attempt that knows what an earlier one found sends no more than that.
 */
export async function probePathValues(client: CaseClient, operation: Operation): Promise<void> {
  const { exchange, missing } = await steadyControl(client, operation, {
    label: 'valid call with known values',
  });
  for (const name of operation.pathParameters) {
    const parameter = new ParameterProbe(client, operation, name, exchange);
    if (!(await parameter.run())) break;
  }
  if (missing !== undefined) throw missing;
}

/** One value that was answered wrongly, to be made smaller. */
interface Wrong {
  readonly raw: string;
  /** What is wrong, in words that are the same for the same. */
  readonly how: string;
}

class ParameterProbe {
  readonly #client: CaseClient;
  readonly #operation: Operation;
  readonly #name: string;
  readonly #control: Exchange | undefined;
  readonly #known: string;
  readonly #others: Readonly<Record<string, string>>;
  /** Kinds that the user leaves out. */
  readonly #appliedExclusions: readonly PathValue[];
  readonly #wrong: Wrong[] = [];
  #silences = 0;
  /** The target does not answer the valid call any more. */
  #isLost = false;

  constructor(client: CaseClient, operation: Operation, name: string, control: Exchange | undefined) {
    const used = control?.request.values ?? {};
    this.#client = client;
    this.#operation = operation;
    this.#name = name;
    this.#control = control;
    this.#others = Object.fromEntries(Object.entries(used).map(([other, { value }]) => [other, value]));
    this.#known = encodeURIComponent(used[name]?.value ?? 'conformance');
    this.#appliedExclusions = pathValues.filter((value) => client.excludes(value.class, name));
  }

  /** False where the target does not answer the valid call any more. */
  async run(): Promise<boolean> {
    if (this.#client.earlier.length > 0) await this.#sendEarlier();
    else {
      await this.#sendCorpus();
      await this.#sendRandom();
      await this.#reduceWrong();
    }
    return !this.#isLost;
  }

  get #isDone(): boolean {
    return this.#isLost || this.#silences >= silencesEndured;
  }

  async #sendEarlier(): Promise<void> {
    const before = this.#client.earlierControl?.request.values[this.#name]?.value;
    for (const { label, request } of this.#client.earlier) {
      const sent = request.values[this.#name];
      if (sent?.source !== 'generated' || !label.startsWith(labelOf(this.#name, ''))) continue;
      // The session that the earlier attempt was about is not the one that this attempt has.
      const raw = before ? sent.value.replaceAll(encodeURIComponent(before), this.#known) : sent.value;
      await this.#look(label, raw, await this.#send('probe', label, raw));
    }
  }

  async #sendCorpus(): Promise<void> {
    for (const value of pathValues) {
      if (this.#isDone) return;
      const raw = value.raw(this.#known);
      if (raw === this.#known || this.#appliedExclusions.includes(value)) continue;
      const label = labelOf(this.#name, value.what);
      await this.#look(label, raw, await this.#send('probe', label, raw));
    }
  }

  async #sendRandom(): Promise<void> {
    const { fuzzRuns } = this.#client;
    if (fuzzRuns === 0 || this.#client.excludes('random', this.#name)) return;
    const label = labelOf(this.#name, 'random value');
    const seed = Math.floor(this.#client.random(this.#name)() * 2 ** 31);
    const values = this.#drawn(seed);
    const found = this.#wrong.length;
    const inputs = this.#client.randomInputs(this.#name);
    for (let sent = 0; sent < fuzzRuns && !this.#isDone; ) {
      const granted = await inputs.grant(Math.min(randomAtOnce, fuzzRuns - sent));
      if (granted === 0) break;
      const batch = Array.from({ length: granted }, () => values.next().value as string);
      sent += granted;
      const exchanges = await Promise.all(batch.map((raw) => this.#send('probe', label, raw)));
      for (const [at, exchange] of exchanges.entries()) {
        inputs.learn(describeAnswer(exchange));
        if (!this.#isDone) await this.#look(label, batch[at] ?? '', exchange);
      }
      if (this.#wrong.length - found >= failuresEndured) break;
    }
    inputs.close();
  }

  *#drawn(seed: number): Generator<string, never> {
    for (const raw of randomPathValues(seed, this.#known)) if (!this.#isExcluded(raw)) yield raw;
    throw new Error('random values are endless');
  }

  #isExcluded(raw: string): boolean {
    return this.#appliedExclusions.some((kind) => isOfKind(raw, kind));
  }

  #send(role: ExchangeRole, label: string, raw: string): Promise<Exchange> {
    return this.#client.call({
      role,
      label,
      parameters: this.#others,
      rawParameters: { [this.#name]: raw },
      placeholders: true,
      isOrdinary: (exchange) => isAllowedAnswer(this.#operation, raw, this.#known, exchange),
    });
  }

  /** Notes a wrong answer; the first of its kind is followed by the valid call, to see that this is still answered. */
  async #look(label: string, raw: string, exchange: Exchange): Promise<void> {
    if (this.#control === undefined || statusOf(this.#control) !== 200) return;
    const how = this.#wrongness(raw, exchange);
    if (how !== undefined) this.#wrong.push({ raw, how });
    if (isAllowedAnswer(this.#operation, raw, this.#known, exchange)) return;
    if (mayBeElsewhere(raw, exchange) && !this.#has(elsewhereLabel(this.#name))) {
      await this.#send('witness', elsewhereLabel(this.#name), `${this.#known}/${this.#known}`);
    }
    const again = againLabel(describeAnswer(exchange));
    if (!this.#has(again)) {
      const tries = await this.#triesUntilAnswered(again);
      if (tries === undefined) {
        this.#isLost = true;
        return;
      }
      // The target was out for a while: whether over this value, a second time will show.
      if (tries > 1) await this.#send('probe', label, raw);
    }
    if (statusOf(exchange) === undefined) this.#silences += 1;
  }

  /**
   * What is wrong with an answer, be it that it is no error body: that is the matter of another check, which shows the
   * smallest request that it has seen. Silence is not looked into, for each time it would take the whole time-out.
   */
  #wrongness(raw: string, exchange: Exchange): string | undefined {
    if (exchange.failure?.kind === 'timeout' || mayBeElsewhere(raw, exchange)) return undefined;
    if (!isAllowedAnswer(this.#operation, raw, this.#known, exchange)) return describeAnswer(exchange);
    const fault = errorBodyFault(exchange);
    return fault === undefined ? undefined : `${describeAnswer(exchange)} with ${fault}`;
  }

  /** How often the valid call had to be made until it was answered 200 again; undefined where it was not. */
  async #triesUntilAnswered(label: string): Promise<number | undefined> {
    for (let tries = 1; tries <= 4; tries += 1) {
      if (statusOf(await this.#client.call({ role: 'witness', label })) === 200) return tries;
      await this.#client.pause(recoveryMs);
    }
    return undefined;
  }

  #has(label: string): boolean {
    return this.#client.exchanges.some((exchange) => exchange.label === label);
  }

  /** Makes the shortest value of each cause smaller; what a smallest value explains is of the same cause. */
  async #reduceWrong(): Promise<void> {
    for (const wrong of byKind(this.#wrong)) {
      let left = [...wrong].sort((a, b) => tokensOf(a.raw).length - tokensOf(b.raw).length);
      for (let causes = 0; causes < causesReduced && !this.#isLost; causes += 1) {
        const [first] = left;
        // Where a plain value is answered so as well, it is not the value that is at fault.
        if (first === undefined || first.raw === plainToken) break;
        const smallest = await this.#reduce(first);
        left = left.filter(({ raw }) => raw !== first.raw && !isExplainedBy(raw, smallest));
      }
    }
  }

  async #reduce({ raw: start, how }: Wrong): Promise<string> {
    const { input } = await reduce<readonly string[]>(tokensOf(start), {
      smaller: (tokens) => this.#smaller(tokens, start),
      keyOf: (tokens) => tokens.join(''),
      budget: reductionBudget,
      stillFails: async (tokens) => {
        if (!this.#client.hasRoom) return false;
        const raw = tokens.join('');
        const exchange = await this.#send('reduction', labelOf(this.#name, 'smaller value'), raw);
        return this.#wrongness(raw, exchange) === how;
      },
    });
    return input.join('');
  }

  /** Never more than what it was: a plain value does not become one that may be routed elsewhere. */
  *#smaller(tokens: readonly string[], start: string): Generator<readonly string[]> {
    for (const candidate of smallerSequences(tokens, () => plainToken)) {
      const raw = candidate.join('');
      if (raw === '' || raw === this.#known || this.#isExcluded(raw)) continue;
      if (isStructural(raw) && !isStructural(start)) continue;
      if (isMalformed(raw) && !isMalformed(start)) continue;
      yield candidate;
    }
  }
}

function byKind(wrong: readonly Wrong[]): ReadonlyArray<readonly Wrong[]> {
  const kinds = new Map<string, Wrong[]>();
  for (const one of wrong) kinds.set(one.how, [...(kinds.get(one.how) ?? []), one]);
  return [...kinds.values()];
}
