import { join } from 'node:path';
import { packageRoot } from '../../../spec/package-root.ts';
import { runNode } from '../run-node.ts';
import type { Section } from '../section.ts';

/** How long the whole proof takes at one seed. */
export const proofTime: Section = {
  name: 'proof',
  title: 'The proof',
  method:
    'Every fault and every conforming variant of the corpus is tested once, at seed 1, on one thread for each processor.',
  async measure() {
    const {
      stdout,
      seconds,
      cpuSeconds = Number.NaN,
    } = await runNode([join(packageRoot, 'dist', 'tools', 'proof', 'main.js')]);
    const [line = ''] = stdout.split('\n').filter((one) => one.includes(' faults found at their place'));
    const [faults, variants, requests] = [/of (\d+) faults/, /of (\d+) conforming/, /(\d+) requests/].map(
      (pattern) => Number(pattern.exec(line)?.[1]),
    ) as [number, number, number];
    const services = faults + variants;
    return {
      head: ['services', 'requests', 'seconds', 'CPU seconds', 'CPU ms/service', 'CPU µs/request'],
      rows: [
        [
          services.toString(),
          requests.toLocaleString('en'),
          seconds.toFixed(0),
          cpuSeconds.toFixed(0),
          ((cpuSeconds * 1e3) / services).toFixed(0),
          ((cpuSeconds * 1e6) / requests).toFixed(0),
        ],
      ],
      notes: [`${line.split(';')[0]}.`],
    };
  },
};
