import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Report } from '../../harness/model/report.ts';
import { loadRequirements } from '../../spec/requirements.ts';
import { renderHtml } from './render-html.ts';

/** A report opened in a browser, and what the page did that it must not. */
export interface ReportPage {
  readonly page: Page;
  /** Errors and warnings of the console, exceptions, and requests other than for the page itself. */
  readonly complaints: string[];
  readonly close: () => Promise<void>;
}

/** Opens a report from a file, as its readers do. */
export async function openReport(
  browser: Browser,
  report: Report,
  options: BrowserContextOptions = {},
): Promise<ReportPage> {
  const folder = await mkdtemp(join(tmpdir(), 'report-page-'));
  const file = join(folder, 'report.html');
  await writeFile(file, renderHtml(report, await loadRequirements()));
  const url = pathToFileURL(file).href;
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const asked = request.url();
    if (asked.split('#')[0] !== url && !asked.startsWith('data:image/svg+xml'))
      complaints.push(`request: ${asked}`);
  });
  await page.goto(url);
  return {
    page,
    complaints,
    close: async () => {
      await context.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
