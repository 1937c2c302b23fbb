import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleReports } from '../testing/sample-reports-for-tests.ts';
import { accessibilityViolations } from './accessibility-for-tests.ts';
import { openChromium } from './browser-for-tests.ts';
import { openReport } from './report-page-for-tests.ts';

// Set to a folder to get the pictures to look at.
const folder = process.env['SCREENSHOTS'];
let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser?.close());

test.concurrent.each(Object.entries(sampleReports))(
  '%s says its verdict on the first screen and prints; with all rows open it fits each window, and axe finds nothing',
  async (name, report) => {
    const { page, close } = await openReport(browser, report);
    for (const [size, viewport] of Object.entries({
      wide: { width: 1400, height: 900 },
      narrow: { width: 390, height: 844 },
    })) {
      await page.setViewportSize(viewport);
      const box = await page.locator('.top').boundingBox();
      // Verdict, figures and the first things to do stand on the first screen, with room for the list below.
      expect((box?.y ?? 0) + (box?.height ?? 0), size).toBeLessThan(viewport.height / 2);
      const height = await page.evaluate<number>('document.documentElement.scrollHeight');
      expect(height, size).toBeLessThan(6_000);
      if (folder === undefined) continue;
      await mkdir(folder, { recursive: true });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) });
        await page.screenshot({
          path: join(folder, `${name}-${size}-${colorScheme}-full.png`),
          fullPage: true,
        });
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    if (folder !== undefined) await writeFile(join(folder, `${name}.pdf`), pdf);
    await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
    for (const width of [320, 390, 768, 1400]) {
      await page.setViewportSize({ width, height: 700 });
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, `at ${width} pixels`).toBeLessThanOrEqual(0);
    }
    for (const width of [390, 1400]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await accessibilityViolations(page), `${width} pixels wide`).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityViolations(page, 'colours'), 'dark').toEqual([]);
    await close();
  },
);

test.concurrent.each(Object.entries(sampleReports))(
  '%s opens every row without a script',
  async (_, report) => {
    const { page, close } = await openReport(browser, report, { javaScriptEnabled: false });
    for (const row of await page.locator('.rows > [data-row]').all()) {
      await row.locator('> summary').click();
      expect(await row.locator('> .body').isVisible()).toBe(true);
    }
    expect(await page.locator('button:visible, input:visible').count()).toBe(0);
    await close();
  },
);
