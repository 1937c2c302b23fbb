import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Entry } from '../cli/register/read-entries.ts';
import { renderEntry, renderIndex } from '../cli/register/render-register.ts';
import { startService } from '../fixtures/reference-service/start-service.ts';
import { accessibilityViolations } from '../reporters/html/accessibility-for-tests.ts';
import { openChromium } from '../reporters/html/browser-for-tests.ts';
import { filesIn, owner, ownerKeyFile } from './certified-run-for-tests.ts';
import { writeCopy } from './copied-certificate-for-tests.ts';
import { callCli } from './in-process-for-tests.ts';

/** Certificates that are verified; the figures in docs/running-a-programme.md come from ENTRIES=200. */
const count = Number(process.env['ENTRIES'] ?? 1);
const statuses = ['valid', 'expired', 'revoked'] as const;
/** Entries with every status, of which every second is from a rehearsal; the last is as valid as the first. */
const different = statuses.length + 1;

let browser: Browser;
let folder: string;
let listed: readonly Entry[];

/** Certifies a service, and builds the register of copies of its certificate, all of which are verified. */
beforeAll(async () => {
  browser = await openChromium();
  folder = await mkdtemp(join(tmpdir(), 'conformance-register-'));
  await ownerKeyFile(folder);
  await writeFile(join(folder, 'owner-public.pem'), owner.publicPem);
  const service = await startService();
  await writeFile(join(folder, 'target.yaml'), stringify(service.target));
  const run = ['run', '--quiet', '--target', 'target.yaml', '--certify', '--development'];
  const first = await callCli([...run, '--sign-key', 'owner.pem', '--report-dir', 'first'], { cwd: folder });
  await service.close();
  if (first.exitCode !== 0) throw new Error(first.stdout + first.stderr);
  const { host } = new URL(service.baseUrl);
  const files = await filesIn(join(folder, 'first'));
  for (let at = 0; at < count; at += 1) {
    const runId = `conformance-${String(at).padStart(32, '0')}`;
    await writeCopy(join(folder, 'certificates', `vendor-${at}`), files, { host, runId });
  }
  const started = performance.now();
  const register = ['register', 'certificates', '--owner-key', 'owner-public.pem', '--out', 'site'];
  const { exitCode, stderr } = await callCli([...register, '--development', '--require', 'self-declared'], {
    cwd: folder,
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  process.stdout.write(`${count} certificates in ${Math.round((performance.now() - started) / 1000)} s\n`);
  const text = await readFile(join(folder, 'site', 'certified.json'), 'utf8');
  listed = (JSON.parse(text) as { readonly entries: readonly Entry[] }).entries;
}, 3_600_000);

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

test('every certificate is listed', () => {
  expect(listed.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 'valid'));
});

// One list is long; the others show the same rows in other circumstances.
const circumstances = [
  [200, 'a wide window', { viewport: { width: 1400, height: 900 } }, 'all'],
  [different, 'a narrow window', { viewport: { width: 390, height: 844 } }, 'all'],
  [different, 'a dark window', { colorScheme: 'dark' }, 'colours'],
] as const;

test.each(circumstances)(
  'the list of %i opens, and axe finds nothing in %s',
  async (rows, name, options, rules) => {
    const entries = Array.from({ length: rows }, (_, at): Entry => {
      const entry = listed[at % listed.length] ?? expect.fail();
      const status = statuses[at % statuses.length] ?? 'valid';
      const claims = {
        ...entry.claims,
        vendor: `Vendor ${at}`,
        product: `Product ${at}`,
        development: at % 2 === 0,
      };
      const revocation = status === 'revoked' ? { date: '2026-01-31', reason: 'withdrawn' } : undefined;
      return { ...entry, name: `vendor-${at}`, status, claims, revocation };
    });
    const list = join(folder, 'list.html');
    await writeFile(list, renderIndex({ entries, revocations: [] }, new Date().toISOString()));
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(pathToFileURL(list).href, { waitUntil: 'load' });
    const ms = await page.evaluate('performance.getEntriesByType("navigation")[0].loadEventEnd');
    process.stdout.write(`${rows} entries in ${name}: loaded after ${Math.round(Number(ms))} ms\n`);
    expect(await page.locator('tbody tr').count()).toBe(rows);
    expect(await accessibilityViolations(page, rules)).toEqual([]);
    for (const entry of entries.slice(0, different)) {
      await writeFile(join(folder, 'entry.html'), renderEntry(entry));
      await page.goto(pathToFileURL(join(folder, 'entry.html')).href);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(await accessibilityViolations(page, rules)).toEqual([]);
    }
    await page.goto(pathToFileURL(join(folder, 'site', 'index.html')).href);
    await page.locator('tbody a').first().click();
    expect(await page.locator('h2').allTextContents()).toEqual(['Claims', 'Files']);
    await page.waitForFunction('document.images[0].naturalWidth > 0');
    await context.close();
  },
);
