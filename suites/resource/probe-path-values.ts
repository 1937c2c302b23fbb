import { errorBodyFault } from '../../harness/checks/json-fault.ts';
import { attemptsToRecover } from '../../harness/checks/recovery.ts';
import { steadyControl } from '../../harness/checks/steady-control.ts';
import type { Step } from '../../harness/checks/step.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { isMalformed, isStructural, tokensOf } from '../../harness/fuzzing/path-segment.ts';
import { smallerSequences } from '../../harness/fuzzing/smaller-sequences.ts';
import type { Exchange, Row } from '../../harness/model/exchange.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { type NeutralHeader, neutralOf } from '../../harness/requests/neutral-headers.ts';
import type { StepPlan } from '../../harness/sampling/step-plan.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { isAllowedAnswer } from './path-answers.ts';
import { isExplainedBy, plainToken } from './path-value-cause.ts';
import {
  allKinds,
  combined,
  isOfKind,
  type PathValue,
  pathValues,
  type ValueGroup,
  valueGroups,
} from './path-values.ts';
import { randomPathValues } from './random-path-values.ts';

/** Values without a response after which the rest of a parameter is not sent: each may take the whole time-out. */
const mostSilences = 3;
/** Wrong responses to random values after which the rest of a parameter is not sent: it is known to be broken. */
const mostFailures = 24;
/** Random values under way at once. */
const randomAtOnce = 8;
/** Kinds of wrong responses to one parameter that are reduced, causes of each, and requests for each cause. */
const kindsReduced = 8;
const causesReduced = 3;
const reductionBudget = 80;

/** Where the values of a group are sent one by one, whatever the joined ones get. */
const membersApart: StepPlan = { from: 'deep' };

/** The steps that send path values. */
export type PathValueSteps = Readonly<
  Record<'valid' | 'joined' | 'value' | 'random' | 'repeated' | 'smaller' | 'recovery', Step>
>;

/**
 * Sends the valid call, then the call with each value of the corpus and with random ones in each parameter in turn, and
 * reduces the values that get wrong responses. A retry sends only what an earlier attempt found.
 */
export async function probePathValues(
  client: CaseClient,
  operation: Operation,
  steps: PathValueSteps,
): Promise<void> {
  const { exchange, missing } = await steadyControl(client, operation, steps.valid);
  const confirmed = new Set<string>();
  for (const name of operation.pathParameters) {
    const parameter = new ParameterProbe({ client, operation, steps, confirmed }, name, exchange);
    if (!(await parameter.run())) break;
  }
  if (missing !== undefined) throw missing;
}

/** What the parameters of one case share. */
interface SharedProbe {
  readonly client: CaseClient;
  readonly operation: Operation;
  readonly steps: PathValueSteps;
  /** Kinds of wrong responses that the valid call has followed. */
  readonly confirmed: Set<string>;
}

/** A value as it goes out, with what people call it and its row. */
interface NamedValue {
  readonly label: string;
  readonly row: Row;
  readonly raw: string;
  /** Headers that ride along, where they are to be those of an earlier call. */
  readonly neutral?: readonly NeutralHeader[];
}

/** A value with a wrong response, to be reduced. */
interface Wrong {
  readonly raw: string;
  /** The defect, in words that are the same for the same defect. */
  readonly how: string;
}

class ParameterProbe {
  readonly #client: CaseClient;
  readonly #operation: Operation;
  readonly #steps: PathValueSteps;
  readonly #confirmed: Set<string>;
  readonly #name: string;
  readonly #control: Exchange | undefined;
  readonly #known: string;
  readonly #others: Readonly<Record<string, string>>;
  /** Kinds that the user excludes. */
  readonly #excludedKinds: readonly PathValue[];
  readonly #wrong: Wrong[] = [];
  #silences = 0;
  /** The target no longer answers the valid call. */
  #isLost = false;

  constructor(
    { client, operation, steps, confirmed }: SharedProbe,
    name: string,
    control: Exchange | undefined,
  ) {
    const used = control?.request.values ?? {};
    this.#client = client;
    this.#operation = operation;
    this.#steps = steps;
    this.#confirmed = confirmed;
    this.#name = name;
    this.#control = control;
    this.#others = Object.fromEntries(Object.entries(used).map(([other, { value }]) => [other, value]));
    this.#known = encodeURIComponent(used[name]?.value ?? 'conformance');
    this.#excludedKinds = pathValues.filter((value) => client.excludes(value.class, name));
  }

  /** False where the target no longer answers the valid call. */
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
    return this.#isLost || this.#silences >= mostSilences;
  }

  async #sendEarlier(): Promise<void> {
    const before = this.#client.earlierControl?.request.values[this.#name]?.value;
    for (const earlier of this.#client.earlier) {
      const { label, row } = earlier;
      const sent = earlier.request.values[this.#name];
      if (sent?.source !== 'generated' || row?.[this.#name] === undefined) continue;
      // This attempt has another session than the earlier one.
      const raw = before ? sent.value.replaceAll(encodeURIComponent(before), this.#known) : sent.value;
      const value = { label, row, raw, neutral: neutralOf(earlier) };
      await this.#look(value, await this.#send(this.#steps.repeated, value));
    }
  }

  async #sendCorpus(): Promise<void> {
    const values = pathValues.filter((value) => !this.#excludedKinds.includes(value));
    const apart = new Set<ValueGroup>();
    const isEachApart = this.#client.plans(membersApart);
    const joined = values.filter(({ group, joins }) => group !== undefined || joins === true);
    const nth = this.#client.operations.indexOf(this.#operation);
    const { joined: all } = this.#steps;
    const isJoinedEnough =
      this.#client.plans(all) &&
      !(await this.#sendValue(allKinds, allKinds, combined(joined, this.#known, nth), all));
    for (const group of isJoinedEnough ? [] : valueGroups) {
      const members = values.filter((value) => value.group === group);
      if (members.length === 0 || this.#isDone) continue;
      const isRefused = await this.#sendValue(group, group, combined(members, this.#known));
      if (isEachApart || (isRefused && this.#client.affords(members.length))) apart.add(group);
    }
    const single = new Set(this.#client.chosen(values));
    for (const value of values) {
      if (this.#isDone) return;
      const { id, group, what, raw } = value;
      if (group === undefined ? single.has(value) : apart.has(group))
        await this.#sendValue(id, what, raw(this.#known));
    }
  }

  /** Whether the response says anything else than that there is no such resource. */
  async #sendValue(id: string, what: string, raw: string, step: Step = this.#steps.value): Promise<boolean> {
    if (raw === this.#known) return false;
    const value = this.#named(id, what, raw);
    const exchange = await this.#send(step, value);
    await this.#look(value, exchange);
    return statusOf(exchange) !== 404;
  }

  async #sendRandom(): Promise<void> {
    const { fuzzRuns } = this.#client;
    if (fuzzRuns === 0 || this.#client.excludes('random', this.#name)) return;
    const seed = Math.floor(this.#client.random(this.#name)() * 2 ** 31);
    const values = this.#drawn(seed);
    const found = this.#wrong.length;
    for (let sent = 0; sent < fuzzRuns && !this.#isDone; ) {
      const batch = Array.from({ length: Math.min(randomAtOnce, fuzzRuns - sent) }, () =>
        this.#named('random', this.#steps.random.label, values.next().value as string),
      );
      sent += batch.length;
      const exchanges = await Promise.all(
        batch.map(async (value) => ({ value, exchange: await this.#send(this.#steps.random, value) })),
      );
      for (const { value, exchange } of exchanges) {
        if (!this.#isDone) await this.#look(value, exchange);
      }
      if (this.#wrong.length - found >= mostFailures) break;
    }
  }

  *#drawn(seed: number): Generator<string, never> {
    for (const raw of randomPathValues(seed, this.#known)) if (!this.#isExcluded(raw)) yield raw;
    throw new Error('random values are endless');
  }

  #isExcluded(raw: string): boolean {
    return this.#excludedKinds.some((kind) => isOfKind(raw, kind, this.#known));
  }

  #named(id: string, what: string, raw: string): NamedValue {
    return { label: `${this.#name}: ${what}`, row: { [this.#name]: id }, raw };
  }

  #send(step: Step, { label, row, raw, neutral }: NamedValue): Promise<Exchange> {
    // What servers refuse before they look it up, they answer in many ways.
    const isSentAlone = neutral !== undefined || isRefusedEarly(raw) || !isSafe(this.#operation);
    return this.#client.call(step, {
      label,
      row,
      parameters: this.#others,
      rawParameters: { [this.#name]: raw },
      placeholders: true,
      ...(isSentAlone ? { neutral: neutral ?? [] } : {}),
      isOrdinary: (exchange) => isAllowedAnswer(this.#operation, raw, this.#known, exchange),
    });
  }

  /** Notes a wrong response; sends the valid call after the first of each kind to see whether it still succeeds. */
  async #look(value: NamedValue, exchange: Exchange): Promise<void> {
    const { raw } = value;
    if (this.#control === undefined || statusOf(this.#control) !== 200) return;
    const how = this.#wrongness(raw, exchange);
    // Where headers that rode along cause the response, the value need not be smaller.
    if (how !== undefined && exchange.neutral === undefined) this.#wrong.push({ raw, how });
    if (isAllowedAnswer(this.#operation, raw, this.#known, exchange)) return;
    const answer = describeAnswer(exchange);
    if (!this.#confirmed.has(answer)) {
      this.#confirmed.add(answer);
      const attempts = await attemptsToRecover(this.#client, this.#steps.recovery, answer);
      if (attempts === undefined) {
        this.#isLost = true;
        return;
      }
      // The target was unavailable for a while: sending the value again shows whether the value was the cause.
      if (attempts > 1) await this.#send(this.#steps.repeated, { ...value, neutral: neutralOf(exchange) });
    }
    if (statusOf(exchange) === undefined) this.#silences += 1;
  }

  /**
   * The defect of a response. A defect of an error body counts as well: another check reports it by the smallest request
   * it has seen. A missing response does not, as each takes the whole time-out.
   */
  #wrongness(raw: string, exchange: Exchange): string | undefined {
    if (exchange.failure?.kind === 'timeout') return undefined;
    if (!isAllowedAnswer(this.#operation, raw, this.#known, exchange)) return describeAnswer(exchange);
    const fault = errorBodyFault(exchange);
    return fault === undefined ? undefined : `${describeAnswer(exchange)} with ${fault}`;
  }

  /** Reduces the shortest value of each cause; values that a smallest value explains have the same cause. */
  async #reduceWrong(): Promise<void> {
    for (const wrong of byKind(this.#wrong).slice(0, kindsReduced)) {
      let left = [...wrong].sort((a, b) => tokensOf(a.raw).length - tokensOf(b.raw).length);
      for (let causes = 0; causes < causesReduced && !this.#isLost; causes += 1) {
        const [first] = left;
        // Where a plain value gets the response as well, the value is not the cause.
        if (first === undefined || first.raw === plainToken) break;
        const smallest = await this.#reduce(first);
        left = left.filter(({ raw }) => raw !== first.raw && !isExplainedBy(raw, smallest));
      }
    }
  }

  async #reduce({ raw: start, how }: Wrong): Promise<string> {
    const { input } = await this.#client.smallest<readonly string[]>(tokensOf(start), {
      smaller: (tokens) => this.#smaller(tokens, start),
      keyOf: (tokens) => tokens.join(''),
      budget: reductionBudget,
      stillFails: async (tokens) => {
        const raw = tokens.join('');
        const { smaller } = this.#steps;
        const exchange = await this.#send(smaller, this.#named('smaller', smaller.label, raw));
        return this.#wrongness(raw, exchange) === how;
      },
    });
    return input.join('');
  }

  /** Keeps the class of the value: a plain one does not become one that may be routed elsewhere. */
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

/** Whether servers and proxies may refuse the value before it is looked up, or lead it to another route. */
function isRefusedEarly(raw: string): boolean {
  return isStructural(raw) || isMalformed(raw) || /%(?:[01][0-9a-f]|7f)/i.test(raw);
}
