import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleReports } from '../testing/sample-reports-for-tests.ts';
import { accessibilityViolations } from './accessibility-for-tests.ts';
import { openChromium } from './browser-for-tests.ts';
import { openReport } from './report-page-for-tests.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser?.close());

test.concurrent.each(Object.entries(sampleReports))(
  'with all rows open, %s does not scroll sideways, and axe finds nothing, wide and narrow, light and dark',
  async (_, report) => {
    const { page, close } = await openReport(browser, report);
    await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
    for (const width of [320, 390, 768, 1400]) {
      await page.setViewportSize({ width, height: 700 });
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, `at ${width} pixels`).toBeLessThanOrEqual(0);
    }
    for (const viewport of [
      { width: 1400, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await accessibilityViolations(page), `${viewport.width} light`).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await accessibilityViolations(page, 'colours'), `${viewport.width} dark`).toEqual([]);
    }
    await close();
  },
);
