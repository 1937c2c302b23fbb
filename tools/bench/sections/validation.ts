import { renderOpenApiDocument } from '../../../fixtures/reference-service/openapi-document.ts';
import { resolveShape } from '../../../fixtures/reference-service/shape.ts';
import { loadCatalogue } from '../../../harness/checks/catalogue.ts';
import { Observation } from '../../../harness/engine/run/observation.ts';
import { planCases } from '../../../harness/engine/run/plan.ts';
import type { Exchange } from '../../../harness/model/exchange.ts';
import type { SuppliedDocument } from '../../../harness/model/supplied-document.ts';
import { documentFrom } from '../../../harness/openapi/load-document.ts';
import { median, type Section } from '../section.ts';
import { bareUndici, drawInputs, sendWhile, wholePath } from '../senders.ts';
import { startTargets, type Targets } from '../targets.ts';

/** Exchanges for repeated evaluation. */
const sample = 2_000;

/** The cost of evaluating an exchange by every passive and collective check. */
export const validationCost: Section = {
  name: 'validation',
  title: 'Evaluating an exchange',
  method:
    `${sample.toLocaleString('en')} recorded exchanges are shown again and again to everything that observes a run: all passive and ` +
    'collective checks, and the ledgers of coverage, traffic and body shapes; first without a document, then with that of the ' +
    'service, which adds validation against its schemas. The ratio compares with the processor time of one bare undici request.',
  async measure({ rounds, roundMs, concurrency }) {
    const targets = await startTargets();
    try {
      const exchanges = await record(targets, concurrency);
      const bare = await bareCost(targets, concurrency, roundMs);
      const { contract } = await loadCatalogue();
      const content = renderOpenApiDocument(resolveShape(undefined));
      const document = await documentFrom(content, 'the document of the service', contract);
      const rows: string[][] = [];
      for (const [way, given] of [
        ['without a document', undefined],
        ['with a document', document],
      ] as const) {
        const costs: number[] = [];
        for (let round = 0; round < rounds; round += 1) costs.push(await evaluate(exchanges, given, roundMs));
        rows.push([way, median(costs).toFixed(1), (median(costs) / bare).toFixed(2)]);
      }
      rows.push(['a bare undici request, for comparison', bare.toFixed(1), '1.00']);
      return { head: ['what', 'CPU µs/exchange', 'ratio'], rows };
    } finally {
      await targets.close();
    }
  },
};

async function record({ embedded }: Targets, concurrency: number): Promise<readonly Exchange[]> {
  const sender = await wholePath(embedded, concurrency);
  const exchanges: Exchange[] = [];
  sender.run.context.recorder.subscribe((exchange) => exchanges.push(exchange));
  await sendWhile(sender, await drawInputs(embedded), concurrency, (sent) => sent < sample);
  await sender.close();
  return exchanges;
}

/** Microseconds of processor time for a request, after a warm-up. */
async function bareCost({ separate }: Targets, concurrency: number, roundMs: number): Promise<number> {
  const sender = bareUndici(separate, concurrency);
  const inputs = await drawInputs(separate);
  const isDuring = (_sent: number, elapsedMs: number): boolean => elapsedMs < roundMs * 3;
  await sendWhile(sender, inputs, concurrency, isDuring);
  const { cost } = await sendWhile(sender, inputs, concurrency, isDuring);
  await sender.close();
  return cost;
}

/** Microseconds of processor time for an exchange. */
async function evaluate(
  exchanges: readonly Exchange[],
  document: SuppliedDocument | undefined,
  roundMs: number,
): Promise<number> {
  const { contract, checks, requirements } = await loadCatalogue();
  const plan = planCases(contract, checks, requirements, { operations: [], checks: [] });
  const observation = new Observation(plan, contract, document);
  // The first time, schemas are compiled.
  for (const exchange of exchanges) observation.observe(exchange);
  const started = performance.now();
  const cpu = process.cpuUsage();
  let evaluated = 0;
  while (performance.now() - started < roundMs) {
    for (const exchange of exchanges) observation.observe(exchange);
    evaluated += exchanges.length;
  }
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / evaluated;
}
