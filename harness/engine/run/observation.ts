import type { Contract } from '../../../spec/contract.ts';
import { isCustom } from '../../checks/custom-check.ts';
import { CoverageLedger } from '../../evidence/coverage-ledger.ts';
import { ShapeLedger } from '../../evidence/shape-ledger.ts';
import { type Moments, SpellLedger } from '../../evidence/spell-ledger.ts';
import { TrafficMeter } from '../../evidence/traffic-meter.ts';
import { groupBy, groupsOf } from '../../group-by.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { CaseResult, CoverageEntry, ShapeEntry, Traffic } from '../../model/report.ts';
import type { SuppliedDocument } from '../../model/supplied-document.ts';
import { notPlanned, resultOf } from '../../results/case-result.ts';
import { Collection } from './collection.ts';
import type { Reporting } from './conclude-case.ts';
import { PassiveMonitor } from './passive-monitor.ts';
import type { Plan } from './plan.ts';

/** The statements of a report about all exchanges of a run. */
export interface Observed {
  readonly coverage: readonly CoverageEntry[];
  readonly traffic: Traffic;
  readonly shapes: readonly ShapeEntry[];
  /** When valid calls failed, and when keys were taken for another. */
  readonly moments: Moments;
}

/**
 * Everything that a report says about exchanges beyond their cases, in bounded memory: of a live run, of recorded
 * evidence, or of merged shards.
 */
export class Observation {
  readonly #plan: Plan;
  readonly #contract: Contract;
  readonly #monitors: readonly PassiveMonitor[];
  readonly #monitorsOf: ReadonlyMap<string, readonly PassiveMonitor[]>;
  readonly #collections: readonly Collection[];
  readonly #ledger = new CoverageLedger();
  readonly #meter = new TrafficMeter();
  readonly #shapes = new ShapeLedger();
  readonly #spells = new SpellLedger();

  constructor(plan: Plan, contract: Contract, document: SuppliedDocument | undefined) {
    this.#plan = plan;
    this.#contract = contract;
    this.#monitors = plan.passive.map((planned) => new PassiveMonitor(planned, document));
    this.#monitorsOf = groupBy(this.#monitors, ({ planned }) => planned.operation.id);
    const byCheck = groupsOf(plan.collective, ({ check }) => check.id);
    this.#collections = byCheck.map((cases) => new Collection(cases, document));
  }

  /** Built-in checks are evaluated as if custom checks had sent nothing. */
  readonly observe = (exchange: Exchange): void => {
    const isOurs = !isCustom(exchange.case.check);
    this.#meter.observe(exchange, this.#contract.find(exchange.operation)?.scope !== undefined);
    if (isOurs) for (const ledger of [this.#ledger, this.#shapes, this.#spells]) ledger.observe(exchange);
    for (const collection of this.#collections)
      if (isOurs || isCustom(collection.check.id)) collection.observe(exchange);
    for (const monitor of this.#monitorsOf.get(exchange.operation) ?? [])
      if (isOurs || isCustom(monitor.planned.check.id)) monitor.observe(exchange);
  };

  /** Exchanges that alone showed a violation of one of our own passive checks; their cases are worth repeating. */
  unconfirmed(): readonly Exchange[] {
    return this.#monitors
      .filter(({ planned }) => !isCustom(planned.check.id))
      .flatMap((monitor) => monitor.unconfirmed());
  }

  /** Results of all cases that send nothing. */
  results(reporting: Reporting): readonly CaseResult[] {
    const pages = new Set(this.#monitors.flatMap((monitor) => monitor.pagesInFront()));
    return [
      ...this.#monitors.map((monitor) => monitor.result(reporting, pages)),
      ...this.#collections.flatMap((collection) => collection.results(reporting)),
      ...this.#plan.notApplicable.map((planned) => resultOf(planned, 'not-applicable', notPlanned)),
    ];
  }

  /** Progress that is cheap to compute during the run. */
  progress(): Pick<Observed, 'coverage' | 'traffic'> {
    return { coverage: this.#ledger.entries(this.#contract.operations), traffic: this.#meter.snapshot() };
  }

  observed(): Observed {
    const { operations } = this.#contract;
    return {
      ...this.progress(),
      shapes: this.#shapes.entries(operations),
      moments: this.#spells.entries(operations),
    };
  }
}
