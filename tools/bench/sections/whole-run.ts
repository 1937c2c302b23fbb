import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../../harness/model/report.ts';
import { packageRoot } from '../../../spec/package-root.ts';
import { runNode, type Spent } from '../run-node.ts';
import { median, rounds, type Section } from '../section.ts';

const program = join(packageRoot, 'dist', 'cli', 'main.js');

const ways: Readonly<Record<string, readonly string[]>> = {
  'Node.js alone': ['--eval', '0'],
  '`--version`': [program, '--version'],
  '`--help`': [program, '--help'],
  'a run of one case': [program, 'run', '--quiet', '--check', 'surface/valid-*', '--operation', '*Bootstrap'],
  'the default run': [program, 'run', '--quiet'],
};

/** From the start of the process to the written reports. */
export const wholeRun: Section = {
  name: 'run',
  title: 'A whole run',
  method:
    'Each program starts in an empty folder, in alternating rounds, and tests the embedded reference service. It is measured ' +
    'from the start of its process to its end, when report, evidence and HTML are written. Medians.',
  async measure() {
    const spent = new Map<string, Spent[]>(Object.keys(ways).map((way) => [way, []]));
    let report: Report | undefined;
    for (let round = 0; round < rounds; round += 1) {
      for (const [way, args] of Object.entries(ways)) {
        const folder = await mkdtemp(join(tmpdir(), 'conformance-bench-'));
        spent.get(way)?.push(await runNode(args, { cwd: folder }));
        if (way === 'the default run') {
          const file = join(folder, 'conformance-report', 'report.json');
          report = JSON.parse(await readFile(file, 'utf8')) as Report;
        }
        await rm(folder, { recursive: true });
      }
    }
    const of = (way: string, figure: 'seconds' | 'cpuSeconds' | 'peakRssMb'): number =>
      median((spent.get(way) ?? []).map((one) => one[figure] ?? Number.NaN));
    const rows = Object.keys(ways).map((way) => [
      way,
      of(way, 'seconds').toFixed(2),
      of(way, 'cpuSeconds').toFixed(2),
      (of(way, 'seconds') / of('Node.js alone', 'seconds')).toFixed(1),
      of(way, 'peakRssMb').toFixed(0),
    ]);
    const requests = report?.traffic.requests.toLocaleString('en');
    const wire = ((report?.run.durationMs ?? 0) / 1000).toFixed(2);
    const last = `The last default run sent ${requests} requests in ${wire} s; its verdict was ${report?.verdict}.`;
    const head = ['what', 'seconds', 'CPU seconds', 'ratio to Node.js alone', 'peak RSS, MB'];
    return { head, rows, notes: [last] };
  },
};
