import { parseArgs } from 'node:util';
import { defaultOptions } from '../harness/running/run-options.ts';
import { measureMemory } from './memory.ts';
import { renderTable } from './render-table.ts';
import { startTargets } from './target-addresses.ts';
import { measureThroughput } from './throughput.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    'round-ms': { type: 'string', default: '1000' },
    memory: { type: 'boolean', default: false },
    target: { type: 'string', multiple: true, default: ['service', 'plain', 'embedded'] },
  },
});
const plan = {
  rounds: Number(values.rounds),
  roundMs: Number(values['round-ms']),
  concurrency: defaultOptions.concurrency,
};

const measured = [
  { name: 'service', title: 'reference service' },
  { name: 'plain', title: 'plain node:http server' },
  { name: 'embedded', title: 'reference service, same process' },
] as const;

if (values.memory) {
  const rows = (await measureMemory(plan.concurrency)).map(
    ({ exchanges, heapMb, rssMb, peakRssMb, seconds }) => [
      exchanges.toLocaleString('en'),
      ...[heapMb, rssMb, peakRssMb, seconds].map((figure) => figure.toFixed(1)),
    ],
  );
  process.stdout.write(
    renderTable(['exchanges', 'heap after GC, MB', 'RSS, MB', 'peak RSS, MB', 'seconds'], rows),
  );
  process.exit();
}

const targets = await startTargets();
try {
  const rows: string[][] = [];
  for (const { name, title } of measured) {
    if (!values.target.includes(name)) continue;
    const { harness, ...bare } = await measureThroughput(targets[name], plan);
    rows.push([title, 'harness', Math.round(harness.rate).toString(), '', harness.cost.toFixed(1), '']);
    for (const [way, { rate, cost }] of Object.entries(bare)) {
      rows.push([
        '',
        `bare pool.${way}`,
        Math.round(rate).toString(),
        (harness.rate / rate).toFixed(2),
        cost.toFixed(1),
        (cost / harness.cost).toFixed(2),
      ]);
    }
  }
  process.stdout.write(
    renderTable(['target', 'way', 'requests/s', 'ratio', 'CPU µs/request', 'ratio'], rows),
  );
} finally {
  await targets.close();
}
