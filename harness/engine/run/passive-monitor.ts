import type { Operation } from '../../../spec/operation.ts';
import type { Case, PassiveCheck } from '../../checks/check.ts';
import { blameOf, failureOf } from '../../checks/custom-check.ts';
import { uncheckedOutcome } from '../../checks/outcomes.ts';
import { defined } from '../../defined.ts';
import { asSmaller, callKey, refusedInFront, requestSize, riderCount } from '../../evidence/answer.ts';
import { keptAt } from '../../kept-at.ts';
import type { Violation } from '../../model/evaluation.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { CaseResult, Finding } from '../../model/report.ts';
import type { SuppliedDocument } from '../../model/supplied-document.ts';
import { resultOf, resultOfEvaluation, resultOfFindings } from '../../results/case-result.ts';
import { asCached } from '../../results/causes/cached-answer.ts';
import { isPlain } from '../../results/causes/sighting.ts';
import { findingId, findingOf } from '../../results/finding.ts';
import type { Reporting } from './conclude-case.ts';
import { HeaderContrast } from './header-contrast.ts';
import { firstConfirmingAttempt } from './run-case.ts';

/** Violations that are equal except for their exchange. */
interface Sighting {
  /** The valid call if it is among them, then the fewest riders, the smallest request, the smallest id: the order of responses does not matter. */
  violation: Violation;
  /** That of its exchange. */
  kind: string;
  /** How often each kind of exchange showed it. */
  readonly kinds: Map<string, Kind>;
}

interface Kind {
  readonly role: Exchange['role'];
  readonly sender: string;
  times: number;
}

/** Exchanges that a result lists by id; the others are counted. */
const listedExchanges = 50;

/** Kinds of exchanges, and of violations, that are distinguished; a target could cause any number. */
const mostKinds = 1_000;
/** The kind of everything beyond that number. */
const furtherKinds = 'all further kinds';

/** Refusals of a key without the scope that are not by chance all of a limiter's. */
const fewestForbidden = 3;

/** Evaluates every exchange of one operation by one passive check, in constant memory. */
export class PassiveMonitor {
  readonly planned: Case<PassiveCheck>;
  readonly #document: SuppliedDocument | undefined;
  readonly #sightings = new Map<string, Sighting>();
  /** Maximum evaluated exchanges of each kind: the exchanges of one probe in one row. */
  readonly #testedByKind = new Map<string, number>();
  /** Attempts of each case that only repeat what its exchanges showed. */
  readonly #confirming = new Map<string, Set<number>>();
  readonly #contrast = new HeaderContrast();
  readonly #listed: string[] = [];
  /** Answers 403 to a key without the scope, by whether they were as they must be. */
  readonly #forbidden = { right: 0, wrong: 0 };
  #evaluated = 0;

  constructor(planned: Case<PassiveCheck>, document: SuppliedDocument | undefined) {
    this.planned = planned;
    this.#document = document;
  }

  readonly observe = (exchange: Exchange): void => {
    const { check, operation } = this.planned;
    // A response to HEAD has no body.
    if (exchange.operation !== operation.id || exchange.request.method === 'HEAD') return;
    const evaluation = check.evaluate(exchange, operation, this.#document);
    if (evaluation === undefined) return;
    const kind = this.#count(this.#kindOf(exchange));
    if (exchange.attempt >= firstConfirmingAttempt)
      keptAt(this.#confirming, exchange.case.check, () => new Set()).add(exchange.attempt);
    this.#evaluated += 1;
    if (isForbidden(exchange, operation)) this.#forbidden[evaluation === 'holds' ? 'right' : 'wrong'] += 1;
    if (check.mayDependOnHeaders === true) this.#contrast.observe(exchange, evaluation === 'holds');
    this.#list(exchange.id);
    if (evaluation === 'holds') return;
    const signature = findingId(evaluation, check.id);
    if (!this.#sightings.has(signature) && this.#sightings.size >= mostKinds) return;
    const first = { violation: evaluation, kind, kinds: new Map() };
    const sighting = keptAt(this.#sightings, signature, () => first);
    const { role, case: from } = exchange;
    keptAt(sighting.kinds, kind, () => ({ role, sender: from.check, times: 0 })).times += 1;
    if (isBefore(exchange, sighting.violation.exchange))
      Object.assign(sighting, { violation: evaluation, kind });
  };

  /** A smaller input that is repeated is of the kind of the one that it repeats. */
  #kindOf(exchange: Exchange): string {
    const smaller = exchange.step === 'repeated' ? kindOf(asSmaller(exchange)) : undefined;
    return smaller !== undefined && this.#testedByKind.has(smaller) ? smaller : kindOf(exchange);
  }

  /** Counts an exchange of a kind; returns the kind under which it counts. */
  #count(kind: string): string {
    const before = this.#testedByKind.get(kind);
    if (before === undefined && this.#testedByKind.size >= mostKinds && kind !== furtherKinds)
      return this.#count(furtherKinds);
    this.#testedByKind.set(kind, (before ?? 0) + 1);
    return kind;
  }

  /** Keeps the smallest ids, so that the order of responses does not matter. */
  #list(id: string): void {
    this.#listed.push(id);
    if (this.#listed.length >= 2 * listedExchanges) this.#listed.sort().splice(listedExchanges);
  }

  /** Exchanges that alone showed a violation; repeating their cases confirms it. */
  unconfirmed(): readonly Exchange[] {
    const alone = [...this.#sightings.values()].filter((sighting) => this.#seen(sighting).of === 1);
    return alone.map(({ violation }) => violation.exchange);
  }

  /** The pages under 403 that something in front sent. */
  pagesInFront(): readonly string[] {
    return [...this.#sightings.values()].flatMap(({ violation: { clause, exchange } }) =>
      clause === refusedInFront && exchange.response?.status === 403 ? [exchange.response.body.text] : [],
    );
  }

  /**
   * `pagesInFront` are pages under 403 to calls whose keys hold the scope: the same page for a key without it is from the same
   * responder, unless each refusal of such a key is one. Firewalls know no scopes, but may be told to write the pages for them.
   */
  result(reporting: Reporting, pagesInFront: ReadonlySet<string> = new Set()): CaseResult {
    const { check, operation, requirement } = this.planned;
    const failure = failureOf(check);
    if (failure !== undefined) return resultOf(this.planned, 'error', `${blameOf(check.id)}: ${failure}`);
    const subject = { ...reporting, check: check.id, requirement };
    const byId = new Map(
      [...this.#sightings.values()].map((sighting): [string, Finding] => {
        const isKnown = requirement.clauses[refusedInFront] !== undefined;
        const isByScope = isForbidden(sighting.violation.exchange, operation) && this.#forbidsWrongly;
        const violation =
          isKnown && !isByScope ? attributed(sighting.violation, pagesInFront) : sighting.violation;
        const header = this.#contrast.decisiveFor(violation.exchange);
        const named = { ...violation, ...defined({ company: header && `with ${header}` }) };
        const counted = this.#seen(sighting);
        // Each call with the values that lead to it showed it.
        const seen = header === undefined ? counted : { times: counted.times, of: counted.times };
        const senders = [...sighting.kinds.values()].map(({ sender }) => sender);
        const cached = asCached(named, requirement.id, []);
        const finding = findingOf(cached, subject, seen, seen.times < seen.of ? [] : senders);
        return [finding.id, finding];
      }),
    );
    const findings = [...byId.values()].sort((a, b) => a.id.localeCompare(b.id));
    const [first, ...others] = findings;
    if (first !== undefined) {
      const shown = findings.map(({ exchange }) => exchange.id);
      return resultOfFindings(this.planned, [first, ...others], shown, reporting.strict);
    }
    if (this.#evaluated === 0) {
      const notApplicableReason = check.notApplicableReason(operation, this.#document);
      return notApplicableReason === undefined
        ? resultOf(this.planned, 'inconclusive', 'no matching response was observed')
        : resultOf(this.planned, 'not-applicable', notApplicableReason);
    }
    const exchanges = [...this.#listed].sort().slice(0, listedExchanges);
    const unchecked = check.uncheckedParts?.(operation, this.#document) ?? [];
    const answers = this.#evaluated === 1 ? '1 answer' : `${this.#evaluated} answers`;
    const result =
      unchecked.length === 0
        ? resultOf(this.planned, 'pass', `held in ${answers}`)
        : resultOfEvaluation(this.planned, uncheckedOutcome(unchecked), []);
    return { ...result, exchanges };
  }

  get #forbidsWrongly(): boolean {
    return this.#forbidden.right === 0 && this.#forbidden.wrong >= fewestForbidden;
  }

  /** Counts requests with the same role as the one shown: a control that also shows it says nothing about the probe. */
  #seen({ violation, kind: shown, kinds }: Sighting): Finding['seen'] {
    // A smaller input that is repeated counts under the kind of the one that it repeats.
    const counted = [...kinds].filter(([, { role }]) => role === kinds.get(shown)?.role);
    const times = counted.reduce((sum, [, one]) => sum + one.times, 0);
    const of = counted.reduce((sum, [kind]) => sum + (this.#testedByKind.get(kind) ?? 0), 0);
    // A call that its case sends only after a wrong response is not repeated where the response is right.
    const repeated = this.#confirming.get(violation.exchange.case.check)?.size ?? 0;
    return { times, of: of === 1 ? 1 + repeated : of };
  }
}

/** Whether a key without the scope was refused where one is needed. */
function isForbidden({ request, response }: Exchange, { scope }: Operation): boolean {
  return scope !== undefined && request.credential.kind === 'unscoped' && response?.status === 403;
}

function attributed(violation: Violation, pagesInFront: ReadonlySet<string>): Violation {
  const { response } = violation.exchange;
  const isInFront = response?.status === 403 && pagesInFront.has(response.body.text);
  return isInFront && violation.clause === undefined ? { ...violation, clause: refusedInFront } : violation;
}

function isBefore(one: Exchange, other: Exchange): boolean {
  const difference =
    Number(isPlain(other)) - Number(isPlain(one)) ||
    riderCount(one) - riderCount(other) ||
    requestSize(one) - requestSize(other);
  return difference === 0 ? one.id < other.id : difference < 0;
}

function kindOf(exchange: Exchange): string {
  const { case: from, role } = exchange;
  return `${from.operation} ${from.check} ${role} ${callKey(exchange)} ${inputOf(exchange)}`;
}

/** Distinguishes random inputs, and their reductions, that have one row. */
function inputOf({ role, request }: Exchange): string {
  if (role !== 'probe' && role !== 'reduction') return '';
  const isGenerated = Object.values(request.values).some(({ source }) => source === 'generated');
  return `${isGenerated ? request.path : ''} ${role === 'reduction' ? (request.body?.text ?? '') : ''}`;
}
