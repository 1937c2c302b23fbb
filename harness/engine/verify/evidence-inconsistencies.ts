import type { Contract } from '../../../spec/contract.ts';
import { callKey, endOf, headerOf, startOf, statusOf } from '../../evidence/answer.ts';
import { evaluatedNumbers, prefixOf } from '../../evidence/evidence-format.ts';
import type { Evidence } from '../../evidence/read-evidence.ts';
import { BlockRecognizer } from '../../evidence/recorder.ts';
import { firstFew } from '../../first-few.ts';
import { misstatedBody } from '../../http/record-answer.ts';
import { keptAt } from '../../kept-at.ts';
import type { Exchange, Row } from '../../model/exchange.ts';
import type { Report } from '../../model/report.ts';
import { anyFactor, pathFactor, readerOf } from '../../requests/noticed-values.ts';
import { refusedFactors } from '../../requests/riders.ts';
import { caseIdOf } from '../../results/case-result.ts';
import type { Plan } from '../run/plan.ts';
import { otherSenders } from './recorded-run.ts';

/** Milliseconds by which the clocks of run and exchange may be off. */
const slack = 5_000;
/** Milliseconds by which a clock may be set back: answers are recorded as they come, also where the process is held up. */
const slackOfOrder = 1_000;
/** Milliseconds that a run may take for its end once everything was sent. */
const mostIdle = 3_600_000;
/** Maximum number of statements about one kind of thing. */
const mostSimilar = 5;

/**
 * Contradictions among recorded exchanges, in a sentence each, that repeating the run does not show: the repetition compares
 * each request with the one that the plan requires.
 */
export async function inconsistencies(
  evidence: Evidence,
  contract: Contract,
  plan: Plan,
  { run: span, target }: Pick<Report, 'run' | 'target'>,
): Promise<readonly string[]> {
  const { run, attempts, count } = evidence;
  const cases = new Set(plan.active.map(({ id }) => id));
  const found = new Map<string, string[]>();
  const object = (kind: string, statement: string): void =>
    void keptAt(found, kind, () => []).push(statement);
  const start = Date.parse(span.startedAt);
  let latestEnd = Number.NEGATIVE_INFINITY;
  const protocol = target.connection?.protocol;
  const places = new Map<string, number>();
  let busy = 0;
  let paced = 0;
  const keys = new Map<string, string>();
  const senders = new Map<string, string>();
  const kinds = new Map<string, string>();
  const cancelled = new Set<string>();
  const noticed = new NoticedFactors();
  const blocks = new BlockRecognizer();

  for await (const exchange of evidence.exchanges()) {
    const { id, request, role } = exchange;
    const say = (kind: string, statement: string): void => object(kind, `${id}: ${statement}`);
    const prefix = prefixOf(exchange);
    senders.set(prefix, exchange.case.check);
    if (!id.startsWith(prefix) || !/^[1-9]\d{0,8}$/.test(id.slice(prefix.length)))
      say('id', 'the id does not match its case and attempt');
    if (places.has(id)) say('id', 'duplicate id');
    places.set(id, places.size + 1);
    const { sessionId } = request.values;
    if (sessionId !== undefined && contract.find(exchange.operation)?.role === 'ends-session')
      cancelled.add(sessionId.value);
    noticed.note(exchange);
    const { kind, fingerprint } = request.credential;
    if (fingerprint !== undefined) {
      // Two invalid keys may be equal; a valid and an invalid one never are.
      if ((kinds.get(fingerprint) ?? kind) !== kind)
        say('credential', 'its key has the fingerprint of another kind of credential');
      kinds.set(fingerprint, kind);
      // Each shard of a merged run made fingerprints of its own.
      if (run.shards === undefined && kind !== 'invalid' && (keys.get(kind) ?? fingerprint) !== fingerprint)
        say('credential', `it has another ${kind} key than calls before it`);
      keys.set(kind, fingerprint);
    }
    if (blocks.isBlocked(exchange) !== (exchange.blockedInFront === true))
      say('block', 'whether a firewall answered it contradicts the calls before the first case');
    const misstated = misstatedBody(exchange);
    if (misstated !== undefined) say('body', misstated);
    if (exchange.response === undefined && exchange.failure === undefined)
      say('answer', 'it has neither a response nor a failure');
    if (exchange.response !== undefined && request.protocol !== protocol)
      say('connection', `it went over ${request.protocol ?? 'HTTP/1.1'}, and the report says otherwise`);
    if (exchange.response !== undefined && exchange.durationMs <= 0)
      say('time', 'it was answered in no time');
    // Requests that provoke throttling are not paced.
    if (role !== 'provocation') {
      busy += exchange.durationMs;
      paced += 1;
    }
    const ended = endOf(exchange);
    if (!(startOf(exchange) >= start - slack && ended <= start + span.durationMs + slack))
      say('time', `it was sent outside the run of ${span.startedAt}`);
    if (ended < latestEnd - slackOfOrder)
      say('time', 'it ended long before exchanges that are recorded before it');
    latestEnd = Math.max(latestEnd, ended);
  }
  if (start + span.durationMs > latestEnd + mostIdle)
    object('time', `the run of ${span.startedAt} ends long after its last exchange`);

  const { concurrency, rate } = run.options;
  const within = latestEnd - start + slack;
  const parts = run.shards?.length ?? 1;
  if (busy > within * concurrency * parts)
    object('time', `${Math.round(busy)} ms of exchanges, ${concurrency} at once, do not fit into the run`);
  if (rate !== null && paced > ((within + slack) / 1000) * rate * parts)
    object('time', `${paced} exchanges, ${rate} in a second, do not fit into the run`);

  const recorded = new Set<string>();
  let before = 0;
  for (const attempt of attempts) {
    const prefix = prefixOf(attempt);
    const say = (statement: string): void => object('attempt', `${prefix.slice(0, -1)}: ${statement}`);
    if (!cases.has(caseIdOf(attempt.case))) say('no such case is planned');
    if (recorded.has(prefix)) say('the attempt is recorded twice');
    recorded.add(prefix);
    if (attempt.after > count) say('was evaluated after the end of the run');
    // The shards of a merged run were evaluated at the same time.
    if (attempt.after < before && run.shards === undefined)
      say('was evaluated before the one that precedes it');
    before = attempt.after;
    const evaluated = evaluatedNumbers(attempt.judged, count).map((number) => `${prefix}${number}`);
    if (evaluated.some((id) => (places.get(id) ?? 0) > attempt.after)) say('was evaluated before it ended');
  }
  for (const [prefix, check] of senders) {
    if (recorded.has(prefix) || otherSenders.has(check)) continue;
    object('attempt', `${prefix.slice(0, -1)}: it has exchanges, but was never evaluated`);
  }
  for (const statement of wrongDecisions(evidence, { cancelled, noticed: noticed.shown }))
    object('decision', statement);
  return [...found.values()].flatMap((statements) => firstFew(statements, mostSimilar, 'more of this kind'));
}

/** Factors that make a difference according to some call, which was sent again with fewer variations. */
class NoticedFactors {
  readonly shown = new Set<string>();
  /** The riders of calls, by attempt and call. */
  readonly #riding = new Map<string, Set<string>>();

  note(exchange: Exchange): void {
    const { neutral = [], row = {}, step, request } = exchange;
    const key = prefixOf(exchange) + callKey(exchange);
    const riding = keptAt(this.#riding, key, () => new Set());
    for (const name of neutral) riding.add(name);
    const isSearched = neutral.length === 0;
    const isRefused = (statusOf(exchange) ?? 0) >= 400;
    for (const factor of [
      ...refusedFactors(exchange),
      ...(isSearched ? riding : []),
      ...(step === 'isolated' ? [...readersOf(row), anyFactor] : []),
      ...(isRefused ? Object.keys(row).map((name) => (name in request.values ? pathFactor : name)) : []),
    ])
      this.shown.add(factor);
  }
}

/** The factors of a row, and what reads their values. */
function readersOf(row: Row): readonly string[] {
  return Object.entries(row).flatMap(([factor, values]) => [
    factor,
    ...[values].flat().map((value) => readerOf([factor, value])),
  ]);
}

/** Decisions that no recorded exchange bears out. */
function wrongDecisions(
  { attempts }: Evidence,
  { cancelled, noticed }: Readonly<Record<'cancelled' | 'noticed', ReadonlySet<string>>>,
): readonly string[] {
  return attempts.flatMap((attempt) =>
    Object.keys(attempt.decisions ?? {}).flatMap((key) => {
      const name = prefixOf(attempt).slice(0, -1);
      const session = /^ended (.*?)(?: \(\d+\))?$/s.exec(key)?.[1];
      if (session !== undefined && !cancelled.has(session))
        return [`${name}: the session ${session} is recorded as ended, but no call ended it`];
      const factor = /^noticed (.*?), /s.exec(key)?.[1];
      if (factor !== undefined && !noticed.has(factor))
        return [`${name}: the target is recorded as noticing ${factor}, but no call shows it`];
      return [];
    }),
  );
}

/** Milliseconds by which a service's clock may differ. */
const tolerance = 600_000;
/** Share of responses with another date that a cache may answer with. */
const cachedShare = 0.2;

/**
 * Whether the `Date` headers of the responses contradict the recorded times. Cached responses keep the date of their
 * origin, so a few old dates prove nothing; a date in the future does.
 */
export async function dateHeaderProblems(exchanges: AsyncIterable<Exchange>): Promise<readonly string[]> {
  let dated = 0;
  let older = 0;
  let newer = 0;
  for await (const exchange of exchanges) {
    const date = Date.parse(headerOf(exchange, 'date') ?? '');
    if (!Number.isFinite(date)) continue;
    const began = startOf(exchange);
    const age = headerOf(exchange, 'age') ?? '';
    dated += 1;
    if (date + (Number.parseInt(age, 10) || 0) * 1_000 < began - tolerance) older += 1;
    if (date > endOf(exchange) + tolerance) newer += 1;
  }
  const wrong = older + newer;
  if (newer === 0 && wrong <= dated * cachedShare) return [];
  return [
    `evidence.har: the Date headers of ${wrong} of ${dated} responses contradict the recorded times by more than ${tolerance / 60_000} minutes`,
  ];
}
