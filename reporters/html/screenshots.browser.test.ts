import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allGreen, hostileBodies, incomplete, oneCause, oneFailure } from '../testing/sample-reports.ts';
import { startChromium } from './browser-for-tests.ts';
import { openReport } from './report-page-for-tests.ts';

// Set to a folder to get the pictures to look at.
const folder = process.env['SCREENSHOTS'];
const samples = { allGreen, oneFailure, oneCause, incomplete, hostileBodies };

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser?.close());

test.each(Object.entries(samples))(
  '%s says its verdict on the first screen, wide and narrow',
  async (name, report) => {
    for (const [size, viewport] of Object.entries({
      wide: { width: 1280, height: 800 },
      narrow: { width: 375, height: 700 },
    })) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page, close } = await openReport(browser, report, { viewport, colorScheme });
        const box = await page.locator('h1').boundingBox();
        expect(box?.y, `${size} ${colorScheme}`).toBeLessThan(viewport.height / 2);
        const figures = await page.locator('.figures').boundingBox();
        expect((figures?.y ?? 0) + (figures?.height ?? 0)).toBeLessThan(viewport.height);
        if (folder !== undefined) {
          await mkdir(folder, { recursive: true });
          await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) });
          await page.screenshot({
            path: join(folder, `${name}-${size}-${colorScheme}-full.png`),
            fullPage: true,
          });
        }
        await close();
      }
    }
  },
);

test.each(Object.entries(samples))('%s prints', async (name, report) => {
  const { page, close } = await openReport(browser, report);
  const pdf = await page.pdf({ format: 'A4' });
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  if (folder !== undefined) await writeFile(join(folder, `${name}.pdf`), pdf);
  await close();
});
