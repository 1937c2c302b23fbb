import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { parse, stringify } from 'yaml';
import { test } from '../e2e/in-process-for-tests.ts';
import { packageRoot } from '../spec/package-root.ts';
import { readReport } from './read-report.ts';

const id = 'consumeHostedLoginReturn';

describe('a return of a login that nobody knows', () => {
  test('doctor and the guide count the cases that a run leaves untested', async ({ folder, serve, cli }) => {
    const { file } = await serve();
    const { bodies, ...target } = parse(await readFile(file, 'utf8')) as Record<string, object>;
    const others = Object.entries(bodies ?? {}).filter(([operation]) => operation !== id);
    await writeFile(file, stringify({ ...target, bodies: Object.fromEntries(others) }));
    const doctor = await cli(`doctor --target ${file}`);
    const run = await cli(`run --target ${file} --operation ${id} --format json --quiet`);
    expect([0, 3], run.stderr).toContain(run.exitCode);
    const { results } = await readReport(join(folder, 'conformance-report', 'report.json'));
    const untested = new Map<string, number>();
    for (const { requirement, outcome } of results) {
      if (outcome === 'inconclusive') untested.set(requirement, (untested.get(requirement) ?? 0) + 1);
    }
    const [, total, counted = ''] =
      /no return is accepted yet; (\d+) cases need one and stay untested \((.*)\)/.exec(doctor.stdout) ?? [];
    // Checks of what a 200 holds send nothing themselves.
    const active = [...untested].filter(([requirement]) => !requirement.startsWith('SUCCESS-'));
    expect(Number(total)).toBe(active.reduce((sum, [, count]) => sum + count, 0));
    expect(new Map(counted.split(', ').map((one) => one.split(' ') as [string, string]))).toEqual(
      new Map(active.map(([requirement, count]) => [requirement, String(count)])),
    );
    const guide = await readFile(join(packageRoot, 'docs', 'certifying.md'), 'utf8');
    const [, section = ''] = guide.split('## Login returns that need a browser');
    const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| ([A-Z]+-\d+) \| (\d+) \|/gm)];
    expect(new Map(rows.map(([, requirement = '', count]) => [requirement, Number(count)]))).toEqual(
      untested,
    );
  });

  test('doctor shows a code that has expired, and nothing where a return is accepted', async ({
    serve,
    cli,
  }) => {
    const { file } = await serve();
    const accepted = await cli(`doctor --target ${file}`);
    expect(accepted.stdout).not.toContain('no return is accepted');
    const target = parse(await readFile(file, 'utf8')) as { bodies: Record<string, object> };
    target.bodies[id] = { ...target.bodies[id], state: 'expired' };
    await writeFile(file, stringify(target));
    const expired = await cli(`doctor --target ${file}`);
    expect(expired.stdout).toContain(`Login       ${id}: no return is accepted yet`);
  });
});
