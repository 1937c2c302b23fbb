import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { callCli, test } from '../../e2e/in-process-for-tests.ts';
import { startOfProcess } from '../../harness/process-identity.ts';
import { writeAtomically } from '../../harness/write-atomically.ts';
import { formats } from '../../reporters/formats.ts';
import { oneFailure } from '../../reporters/testing/sample-reports-for-tests.ts';
import { lockName, lockReportDir } from './lock-report-dir.ts';
import { prepareReportDir, writeReport } from './report-dir.ts';
import { prepareViews, writeViews } from './write-views.ts';

const views = formats.filter(({ name }) => name !== 'json');

describe('a planted link', () => {
  const names = [
    '.writable',
    'report.json.part',
    'report.json',
    'evidence.har',
    'evidence.har.part',
    'certificate.json.part',
    '.junit.part',
    'junit.xml',
    'report.html',
    'badge.svg',
    'summary.md',
  ];

  test('does not destroy its target', async ({ folder }) => {
    const dir = join(folder, 'reports');
    const precious = (name: string): string => join(folder, `precious ${name}`);
    await mkdir(dir);
    for (const name of names) {
      await writeFile(precious(name), `conformance, precious ${name}`);
      await symlink(precious(name), join(dir, name));
    }
    const unlock = await lockReportDir(dir, '--report-dir');
    await prepareReportDir(dir);
    await prepareViews(dir, views, '--report-dir');
    await writeReport(dir, oneFailure);
    await writeViews(dir, oneFailure, views);
    await unlock();
    for (const name of names)
      expect(await readFile(precious(name), 'utf8')).toBe(`conformance, precious ${name}`);
  });

  test('is replaced by an atomic write', async ({ folder }) => {
    await writeFile(join(folder, 'precious'), 'precious');
    await symlink('precious', join(folder, 'target.yaml'));
    await writeAtomically(join(folder, 'target.yaml'), 'new');
    expect(await readFile(join(folder, 'precious'), 'utf8')).toBe('precious');
    expect((await readdir(folder)).sort()).toEqual(['precious', 'target.yaml']);
  });
});

describe('one command writes to a report folder at a time', () => {
  const holder = { pid: process.pid, start: startOfProcess(process.pid), host: hostname(), token: '' };

  test('another is refused until the first has ended', async ({ folder }) => {
    await writeReport(folder, oneFailure);
    const unlock = await lockReportDir(folder, '--report-dir');
    const render = ['render', folder, '--format', 'junit'];
    const refused = await callCli(render);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain(`another run is writing to ${folder}`);
    expect(refused.stderr).toContain(`process ${process.pid}`);
    await unlock();
    expect((await callCli(render)).exitCode).toBe(0);
    expect(await readdir(folder)).not.toContain(lockName);
  });

  test('of 20 at once exactly one', async ({ folder }) => {
    const stale = JSON.stringify({ ...holder, start: 'earlier' });
    await writeFile(join(folder, lockName), stale);
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, () => lockReportDir(folder, '--report-dir')),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of all) if (one.status === 'fulfilled') await one.value();
    expect(await readdir(folder)).toEqual([]);
  });

  test.for([
    ['an ended process', { ...holder, pid: 2 ** 22 + 1 }],
    ['an earlier process of the same id', { ...holder, start: 'earlier' }],
  ] as const)('the lock of %s is replaced', async ([, left], { folder }) => {
    await writeFile(join(folder, lockName), JSON.stringify(left));
    const unlock = await lockReportDir(folder, '--report-dir');
    await unlock();
    expect(await readdir(folder)).toEqual([]);
  });

  test('a lock is replaced though a process was killed that was about to remove it', async ({ folder }) => {
    const guard = join(folder, `${lockName}.stale`);
    await writeFile(join(folder, lockName), JSON.stringify({ ...holder, start: 'earlier' }));
    await writeFile(guard, '');
    await utimes(guard, 0, 0);
    const unlock = await lockReportDir(folder, '--report-dir');
    await unlock();
    expect(await readdir(folder)).toEqual([]);
  });

  test('the recent lock of another machine is respected', async ({ folder }) => {
    await writeFile(join(folder, lockName), JSON.stringify({ ...holder, host: 'elsewhere' }));
    await expect(lockReportDir(folder, '--out')).rejects.toThrow('on elsewhere holds');
  });
});

describe('what a command did not write stays', () => {
  test('a file of another tool is refused before anything is replaced', async ({ folder }) => {
    await writeReport(folder, oneFailure);
    await writeFile(join(folder, 'junit.xml'), '<testsuites name="jest tests"/>');
    const { exitCode, stderr } = await callCli(['render', folder, '--format', 'junit,markdown']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('commerce-conformance did not write it'),
    });
    expect(await readFile(join(folder, 'junit.xml'), 'utf8')).toBe('<testsuites name="jest tests"/>');
  });

  test('a certificate is kept with what it vouches for', async ({ folder }) => {
    const files = {
      'certificate.json': 'in-toto',
      'report.json': 'conformance',
      'evidence.har': 'conformance',
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await prepareReportDir(folder);
    const [kept = '', ...others] = await readdir(folder);
    expect(others).toEqual([]);
    for (const [name, text] of Object.entries(files))
      expect(await readFile(join(folder, kept, name), 'utf8')).toBe(text);
  });
});
