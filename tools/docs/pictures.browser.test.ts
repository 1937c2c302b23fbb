import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../../e2e/cli-for-tests.ts';
import { faults } from '../../fixtures/faults/near-miss-keys.faults.ts';
import { startFault } from '../../fixtures/faults/start-fault.ts';
import type { RunningService } from '../../fixtures/reference-service/start-service.ts';
import { openChromium } from '../../reporters/html/browser-for-tests.ts';
import { packageRoot } from '../../spec/package-root.ts';
import { renderTerminalPicture } from './terminal-picture-for-tests.ts';

// Set to a folder to keep the pictures; npm run pictures sets it to docs/images.
const kept = process.env['PICTURES'];
const heaviest = 200_000;

let browser: Browser;
let service: RunningService;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conformance-pictures-'));
  const fault =
    faults.find(({ name }) => name === 'unknown-key-is-somebody-anonymous') ?? expect.fail('no such fault');
  [browser, service] = await Promise.all([openChromium(), startFault(fault)]);
  await writeFile(join(folder, 'target.yaml'), JSON.stringify(service.target));
});

afterAll(async () => {
  await browser?.close();
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

async function keep(name: string, picture: Buffer): Promise<void> {
  expect(picture.length, `${name} is heavy for a README`).toBeLessThan(heaviest);
  expect(picture.length).toBeGreaterThan(3_000);
  if (kept === undefined) return;
  await mkdir(join(packageRoot, kept), { recursive: true });
  await writeFile(join(packageRoot, kept, name), picture);
}

test('the terminal and the HTML report, as a run leaves them', async () => {
  // A picture that nobody keeps needs no long run.
  const args = ['run', '--target', 'target.yaml', ...(kept === undefined ? ['--profile', 'quick'] : [])];
  const run = await runCli(args, { cwd: folder, env: { FORCE_COLOR: '1' } });
  expect(run.exitCode, run.stderr).toBe(1);
  const command = 'npx commerce-conformance run --target target.yaml';
  const terminal = renderTerminalPicture(command, run.stdout.trimEnd());
  await keep('terminal.svg', Buffer.from(terminal));
  const picture = await browser.newPage();
  await picture.setContent(terminal);
  expect(await picture.locator('text', { hasText: 'non-conformant' }).count()).toBeGreaterThan(0);
  const report = await browser.newPage({ viewport: { width: 1200, height: 860 } });
  await report.goto(pathToFileURL(join(folder, 'conformance-report', 'report.html')).href);
  await report.locator('.row > summary').first().click();
  await keep('report.png', await report.screenshot());
});
