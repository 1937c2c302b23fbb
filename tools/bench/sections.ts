import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../harness/model/report.ts';
import { packageRoot } from '../../spec/package-root.ts';
import { runNode, type Spent } from './run-node.ts';
import { median, rounds, type Section } from './section.ts';
import {
  bareUndici,
  drawInputs,
  type Pace,
  type Sender,
  sendWhile,
  startTargets,
  wholePath,
} from './senders.ts';

const program = join(packageRoot, 'dist', 'cli', 'main.js');

const ways: Readonly<Record<string, readonly string[]>> = {
  'Node.js alone': ['--eval', '0'],
  '`--version`': [program, '--version'],
  '`--help`': [program, '--help'],
  'a run of one case': [program, 'run', '--quiet', '--check', 'surface/valid-*', '--operation', '*Bootstrap'],
  'the default run': [program, 'run', '--quiet'],
};

/** From the start of the process to the written reports. */
const wholeRun: Section = {
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

/** Requests before anything is measured, because the engine compiles until then, and their longest time. */
const warmUp = { requests: 30_000, ms: 8_000 };
const roundMs = 1_000;

/** The cost of a fuzz exchange in comparison with the same request sent by bare undici. */
const fuzzThroughput: Section = {
  name: 'throughput',
  title: 'Fuzzing throughput',
  method:
    'A run (which prepares, paces, sends and records each request, and evaluates it by every passive check) and bare undici ' +
    '(`pool.request`, with the body read as JSON) send the same path values over as many connections, in alternating rounds. ' +
    'Medians. A ratio is the share of what bare undici reaches.',
  async measure() {
    const targets = await startTargets();
    const rows: string[][] = [];
    for (const [title, target] of [
      ['reference service, same process', targets.embedded],
      ['reference service, another process', targets.separate],
    ] as const) {
      const inputs = await drawInputs(target);
      const measure = (sender: Sender, ms: number, most = Number.POSITIVE_INFINITY): Promise<Pace> =>
        sendWhile(sender, inputs, (sent, elapsedMs) => sent < most && elapsedMs < ms);
      const harness = await wholePath(target);
      const bare = bareUndici(target);
      const paces = new Map<Sender, Pace[]>([
        [harness, []],
        [bare, []],
      ]);
      for (const sender of paces.keys()) await measure(sender, warmUp.ms, warmUp.requests);
      for (let round = 0; round < rounds; round += 1)
        for (const [sender, all] of paces) all.push(await measure(sender, roundMs));
      await Promise.all([harness.close(), bare.close()]);
      const of = (sender: Sender, figure: keyof Pace): number =>
        median((paces.get(sender) ?? []).map((pace) => pace[figure]));
      const [rate, cost] = [of(harness, 'rate'), of(harness, 'cost')];
      const [bareRate, bareCost] = [of(bare, 'rate'), of(bare, 'cost')];
      const ratios = [(rate / bareRate).toFixed(2), (bareCost / cost).toFixed(2)] as const;
      rows.push(
        [title, 'harness', rate.toFixed(0), ratios[0], cost.toFixed(1), ratios[1]],
        [title, 'bare undici', bareRate.toFixed(0), '', bareCost.toFixed(1), ''],
      );
    }
    await targets.close();
    return { head: ['target', 'way', 'requests/s', 'ratio', 'CPU µs/request', 'ratio of CPU'], rows };
  },
};

/** The memory and handles of a process in a long run. */
const memoryHeld: Section = {
  name: 'memory',
  title: 'Memory, sockets and handles in a long run',
  method:
    'A new process sends a million fuzz exchanges to the reference service in another process. It measures itself after 10,000, ' +
    '100,000 and 1,000,000: the heap after a collection, resident memory, open file descriptors (sockets among them), and the ' +
    'handles that keep the event loop alive.',
  async measure() {
    const module = join(packageRoot, 'dist/tools/bench/memory-process.js');
    const child = fork(module, { execArgv: ['--expose-gc'] });
    const rows: Array<readonly string[]> = [];
    child.on('message', (row) => rows.push(row as readonly string[]));
    await once(child, 'exit');
    const sizes = ['heap after GC, MB', 'RSS, MB', 'peak RSS, MB'];
    return { head: ['exchanges', ...sizes, 'descriptors', 'handles', 'seconds'], rows };
  },
};

/** Packages that have a row of their own. */
const listed = 8;

interface Lock {
  readonly packages: Readonly<Record<string, { dev?: true; devOptional?: true; peer?: true }>>;
}

/** The dependencies of an installation. */
const installedSize: Section = {
  name: 'size',
  title: 'The size of an installation',
  method:
    'All packages that `npm install commerce-conformance` installs beside it, on disk: the largest, and their sum.',
  async measure() {
    const { packages } = JSON.parse(readFileSync(join(packageRoot, 'package-lock.json'), 'utf8')) as Lock;
    const sizes = Object.entries(packages)
      .filter(([path, one]) => path !== '' && !one.dev && !one.devOptional && !one.peer)
      // Packages for other platforms are not there.
      .filter(([path]) => existsSync(join(packageRoot, path)))
      .map(([path]) => {
        const du = ['-sk', '--exclude=node_modules', '.'];
        const size = execFileSync('du', du, { cwd: join(packageRoot, path), encoding: 'utf8' });
        return { name: path.replace(/^.*node_modules\//, ''), kilobytes: Number.parseInt(size, 10) };
      })
      .sort((a, b) => b.kilobytes - a.kilobytes);
    const row = (name: string, all: typeof sizes): readonly string[] => [
      name,
      (all.reduce((sum, { kilobytes }) => sum + kilobytes, 0) / 1024).toFixed(1),
    ];
    const rows = sizes.slice(0, listed).map((one) => row(one.name, [one]));
    return { head: ['package', 'MB'], rows: [...rows, row(`all ${sizes.length} packages`, sizes)] };
  },
};

/** Every section, in the order of the page. */
export const sections: readonly Section[] = [wholeRun, fuzzThroughput, memoryHeld, installedSize];
