import { parseArgs } from 'node:util';
import { defaultOptions } from '../harness/running/run-options.ts';
import { renderTable } from './render-table.ts';
import { startTargets } from './target-addresses.ts';
import { measureThroughput } from './throughput.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    'round-ms': { type: 'string', default: '1000' },
    target: { type: 'string', multiple: true, default: ['service', 'plain'] },
  },
});
const plan = {
  rounds: Number(values.rounds),
  roundMs: Number(values['round-ms']),
  concurrency: defaultOptions.concurrency,
};

const targets = await startTargets();
try {
  const rows: string[][] = [];
  for (const [name, title] of [
    ['service', 'reference service'],
    ['plain', 'plain node:http server'],
  ] as const) {
    if (!values.target.includes(name)) continue;
    const { harness, request, dispatch } = await measureThroughput(targets[name], plan);
    rows.push([
      title,
      ...[harness, request, dispatch].map((rate) => String(Math.round(rate))),
      (harness / request).toFixed(2),
      (harness / dispatch).toFixed(2),
    ]);
  }
  process.stdout.write(
    renderTable(
      [
        'requests per second on',
        'harness',
        'pool.request',
        'pool.dispatch',
        'ratio to request',
        'ratio to dispatch',
      ],
      rows,
    ),
  );
} finally {
  await targets.close();
}
