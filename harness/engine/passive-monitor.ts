import type { Case } from '../checks/case.ts';
import type { PassiveCheck } from '../checks/check.ts';
import { blameOf, failureOf } from '../checks/contained-check.ts';
import type { Violation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CaseResult, Finding } from '../model/report.ts';
import type { SuppliedDocument } from '../model/supplied-document.ts';
import { resultOf, resultOfFindings } from '../results/case-result.ts';
import { findingId, findingOf } from '../results/finding.ts';

/** Violations of one kind: alike in all but the exchange. */
interface Sighting {
  /** Of the smallest request, and of these of the least id, so that the order of answers does not matter. */
  violation: Violation;
  times: number;
  readonly kinds: Set<string>;
}

/** Exchanges whose ids a result lists at the most; the others are counted. */
const listedExchanges = 50;

/** Kinds of exchanges, and violations, that are told apart at the most; a target could bring up any number. */
const mostTold = 1_000;
/** What all kinds go by that are not told apart. */
const furtherKinds = 'all further kinds';

/** Judges every exchange of one operation by one passive check, in constant memory. */
export class PassiveMonitor {
  readonly #case: Case<PassiveCheck>;
  readonly #document: SuppliedDocument | undefined;
  readonly #sightings = new Map<string, Sighting>();
  /** How many exchanges of each kind were judged; a kind is what a probe calls alike. */
  readonly #testedByKind = new Map<string, number>();
  readonly #listed: string[] = [];
  /** No greater id can be among the least; undefined while fewer were seen than are listed. */
  #greatestListed: string | undefined;
  #evaluated = 0;

  constructor(planned: Case<PassiveCheck>, document: SuppliedDocument | undefined) {
    this.#case = planned;
    this.#document = document;
  }

  /** Id of the check that judges. */
  get check(): string {
    return this.#case.check.id;
  }

  /** Id of the operation whose exchanges it judges. */
  get operation(): string {
    return this.#case.operation.id;
  }

  readonly observe = (exchange: Exchange): void => {
    const { check, operation } = this.#case;
    if (exchange.operation !== operation.id) return;
    const evaluation = check.evaluate(exchange, operation, this.#document);
    if (evaluation === undefined) return;
    const kind = this.#count(kindOf(exchange));
    this.#evaluated += 1;
    this.#list(exchange.id);
    if (evaluation === 'holds') return;
    const signature = findingId(evaluation, check.id);
    const before = this.#sightings.get(signature);
    if (before === undefined) {
      if (this.#sightings.size >= mostTold) return;
      this.#sightings.set(signature, { violation: evaluation, times: 1, kinds: new Set([kind]) });
      return;
    }
    before.times += 1;
    before.kinds.add(kind);
    if (isBefore(exchange, before.violation.exchange)) before.violation = evaluation;
  };

  /** Counts an exchange of a kind; gives the kind under which it was counted. */
  #count(kind: string): string {
    const before = this.#testedByKind.get(kind);
    if (before === undefined && this.#testedByKind.size >= mostTold && kind !== furtherKinds)
      return this.#count(furtherKinds);
    this.#testedByKind.set(kind, (before ?? 0) + 1);
    return kind;
  }

  /** Keeps the least ids, so that the order of answers does not matter. */
  #list(id: string): void {
    if (this.#greatestListed !== undefined && id > this.#greatestListed) return;
    this.#listed.push(id);
    if (this.#listed.length < 2 * listedExchanges) return;
    this.#listed.sort().splice(listedExchanges);
    this.#greatestListed = this.#listed.at(-1);
  }

  /** Exchanges that alone showed a violation, whose cases ought to be tried again before it is reported. */
  unconfirmed(): readonly Exchange[] {
    return [...this.#sightings.values()]
      .filter((sighting) => this.#tries(sighting) === 1)
      .map((sighting) => sighting.violation.exchange);
  }

  result(baseUrl: string, strict: boolean, curlFlags: readonly string[] = []): CaseResult {
    const { check, operation, requirement } = this.#case;
    const failure = failureOf(check);
    if (failure !== undefined) return resultOf(this.#case, 'error', `${blameOf(check.id)}: ${failure}`);
    const subject = { check: check.id, requirement, baseUrl, curlFlags };
    const findings = [...this.#sightings.values()].map((sighting) =>
      findingOf(sighting.violation, subject, { times: sighting.times, of: this.#tries(sighting) }),
    );
    const [first, ...others] = findings.sort((a, b) => a.id.localeCompare(b.id));
    if (first !== undefined) {
      const shown = findings.map((finding: Finding) => finding.exchange.id);
      return resultOfFindings(this.#case, [first, ...others], shown, strict);
    }
    if (this.#evaluated > 0) {
      const answers = this.#evaluated === 1 ? '1 answer' : `${this.#evaluated} answers`;
      return {
        ...resultOf(this.#case, 'pass', `held in ${answers}`),
        exchanges: [...this.#listed].sort().slice(0, listedExchanges),
      };
    }
    const notApplicableReason = check.notApplicableReason(operation, this.#document);
    return notApplicableReason === undefined
      ? resultOf(this.#case, 'inconclusive', 'no answer of the kind that it speaks of was seen')
      : resultOf(this.#case, 'not-applicable', notApplicableReason);
  }

  #tries(sighting: Sighting): number {
    return [...sighting.kinds].reduce((sum, kind) => sum + (this.#testedByKind.get(kind) ?? 0), 0);
  }
}

function isBefore(one: Exchange, other: Exchange): boolean {
  const difference = sizeOf(one) - sizeOf(other);
  return difference === 0 ? one.id < other.id : difference < 0;
}

function sizeOf({ request }: Exchange): number {
  return request.path.length + (request.body?.bytes ?? 0);
}

let lastKind: { readonly exchange: Exchange; readonly kind: string } | undefined;

/** Put together once for all monitors that see an exchange. */
function kindOf(exchange: Exchange): string {
  if (lastKind?.exchange !== exchange) {
    const { case: from, role, label } = exchange;
    lastKind = { exchange, kind: `${from.operation} ${from.check} ${role} ${label} ${inputOf(exchange)}` };
  }
  return lastKind.kind;
}

/** What tells inputs apart that go by one label: random ones, and smaller ones of these. */
function inputOf({ role, request }: Exchange): string {
  if (role !== 'probe' && role !== 'reduction') return '';
  const isGenerated = Object.values(request.values).some(({ source }) => source === 'generated');
  return `${isGenerated ? request.path : ''} ${role === 'reduction' ? (request.body?.text ?? '') : ''}`;
}
