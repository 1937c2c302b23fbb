import type { Contract } from '../../spec/contract.ts';
import { CoverageLedger } from '../evidence/coverage-ledger.ts';
import { Recorder } from '../evidence/recorder.ts';
import { ShapeLedger } from '../evidence/shape-ledger.ts';
import { TrafficMeter } from '../evidence/traffic-meter.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CaseResult, CoverageEntry, ShapeEntry, Traffic } from '../model/report.ts';
import type { SuppliedDocument } from '../model/supplied-document.ts';
import { resultOf } from '../results/case-result.ts';
import { collectionsOf } from './collection.ts';
import { PassiveMonitor } from './passive-monitor.ts';
import type { Plan } from './plan.ts';

/** All that a report says of exchanges beyond their cases; in bounded memory, however many are observed. */
export interface Observation {
  readonly observe: (exchange: Exchange) => void;
  /** Results of all cases that send nothing. */
  results(baseUrl: string, strict: boolean, curlFlags: readonly string[]): readonly CaseResult[];
  coverage(): readonly CoverageEntry[];
  traffic(): Traffic;
  shapes(): readonly ShapeEntry[];
}

/** Observes recorded exchanges as a run observes its own. */
export function startObservation(
  plan: Plan,
  { operations }: Contract,
  document: SuppliedDocument | undefined,
): Observation {
  const ledger = new CoverageLedger();
  const meter = new TrafficMeter();
  const shapes = new ShapeLedger();
  const monitors = plan.passive.map((planned) => new PassiveMonitor(planned, document));
  const collections = collectionsOf(plan.collective, document);
  const recorder = new Recorder();
  for (const { observe } of [ledger, meter, shapes, ...collections]) recorder.subscribe(observe);
  for (const { operation, observe } of monitors) recorder.subscribeTo(operation, observe);
  return {
    observe: (exchange) => recorder.record(exchange),
    results: (baseUrl, strict, curlFlags) => [
      ...monitors.map((monitor) => monitor.result(baseUrl, strict, curlFlags)),
      ...collections.flatMap((collection) => collection.results(baseUrl, strict, curlFlags)),
      ...plan.notApplicable.map((planned) =>
        resultOf(planned, 'not-applicable', 'the requirement says nothing of this operation'),
      ),
    ],
    coverage: () => ledger.entries(operations),
    traffic: () => meter.snapshot(),
    shapes: () => shapes.entries(operations),
  };
}
