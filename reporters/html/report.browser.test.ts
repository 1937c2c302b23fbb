import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../harness/model/report.ts';
import { hostileBodies, incomplete, oneCause, oneFailure, sampleReports } from '../testing/sample-reports.ts';
import { startChromium } from './browser-for-tests.ts';
import { openReport, type ReportPage } from './report-page-for-tests.ts';

const wide = { width: 1280, height: 800 };
const narrow = { width: 375, height: 700 };

let browser: Browser;
let opened: ReportPage | undefined;
beforeAll(async () => {
  browser = await startChromium();
});
afterEach(async () => {
  const complaints = opened?.complaints;
  await opened?.close();
  opened = undefined;
  // Whatever was done with a page: no error, no request, no dialog.
  expect(complaints ?? []).toEqual([]);
});
afterAll(() => browser?.close());

async function open(report: Report, options?: BrowserContextOptions): Promise<Page> {
  opened = await openReport(browser, report, options);
  return opened.page;
}

interface AxeViolation {
  readonly id: string;
  readonly nodes: ReadonlyArray<{ readonly target: readonly unknown[]; readonly failureSummary?: string }>;
}

async function accessibilityViolations(page: Page): Promise<string[]> {
  // Injected through the debugger's world, which the page's policy does not bind.
  await page.evaluate(axe.source);
  const violations = (await page.evaluate(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((r) => r.violations)",
  )) as AxeViolation[];
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Asked again from here: the page's policy forbids what waits within the page. */
async function becomesTrue(page: Page, expression: string): Promise<void> {
  await expect.poll(() => page.evaluate(expression), { timeout: 5_000, message: expression }).toBe(true);
}

async function hasBreached(page: Page): Promise<boolean> {
  return page.evaluate("'breached' in window");
}

describe.each(Object.entries(sampleReports))('the sample %s', (_, report) => {
  test('is accessible in light and dark, wide and narrow', async () => {
    const page = await open(report, { viewport: wide });
    const unfold = page.getByRole('button', { name: 'Open all' });
    if (await unfold.isVisible()) await unfold.click();
    for (const viewport of [wide, narrow]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        expect(await accessibilityViolations(page), `${viewport.width} ${colorScheme}`).toEqual([]);
      }
    }
  });

  test('does not scroll sideways', async () => {
    const page = await open(report);
    for (const width of [320, 375, 768, 1280]) {
      await page.setViewportSize({ width, height: 700 });
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, `at ${width} pixels`).toBeLessThanOrEqual(0);
    }
  });

  test('shows everything without a script', async () => {
    const page = await open(report, { javaScriptEnabled: false });
    for (const card of await page.locator('[data-entry]').all()) expect(await card.isVisible()).toBe(true);
    expect(await page.locator('details:not([open])').count()).toBe(0);
    expect(await page.locator('button:visible, input:visible').count()).toBe(0);
  });
});

describe('with the keyboard', () => {
  test('Enter in the matrix leads to the finding, opened', async () => {
    const page = await open(oneFailure, { viewport: wide });
    const link = page.locator('.matrix a').first();
    for (let stops = 0; stops < 80; stops += 1) {
      await page.keyboard.press('Tab');
      if (await link.evaluate((element) => element.matches(':focus'))) break;
    }
    expect(await link.evaluate((element) => element.matches(':focus-visible'))).toBe(true);
    await page.keyboard.press('Enter');
    await becomesTrue(page, "document.activeElement.tagName === 'SUMMARY'");
    expect(await page.evaluate('document.activeElement.parentElement.id')).toMatch(/^[0-9a-f]{8}$/);
    expect(await page.locator('details:target').getAttribute('open')).not.toBeNull();
  });

  test('the first stop leads past the head', async () => {
    const page = await open(oneFailure, { viewport: wide });
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('To the report');
  });

  test('arrow keys go from link to link in the matrix', async () => {
    const page = await open(oneCause, { viewport: wide });
    const links = page.locator(
      '.matrix tr[data-operations=initiateHostedLogin] a, .matrix tr[data-operations=consumeHostedLoginReturn] a',
    );
    await links.first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await links.last().evaluate((element) => element.matches(':focus'))).toBe(true);
  });

  test('Enter at an inconclusive cell leads to what would decide it', async () => {
    const page = await open(incomplete, { viewport: wide });
    await page.locator('.matrix a').first().focus();
    await page.keyboard.press('Enter');
    await becomesTrue(page, "document.activeElement.id.startsWith('open-')");
    expect(await page.locator('article:focus').innerText()).toContain('remedy');
  });
});

describe('the filter', () => {
  test('finds by text, says how many are left, and is cleared with Escape', async () => {
    const page = await open(oneCause, { viewport: wide });
    await page.getByRole('searchbox').fill('text/html searchPublicProducts');
    await page.getByText('Filtered: 2 of 45 entries shown').waitFor();
    expect(await page.locator('details[data-entry]:visible').count()).toBe(1);
    await page.getByRole('searchbox').press('Escape');
    await becomesTrue(page, "document.querySelectorAll('[data-entry][hidden]').length === 0");
  });

  test('keeps to an outcome', async () => {
    const page = await open(oneFailure, { viewport: wide });
    await page.locator('select[name=outcome]').selectOption('warn');
    await page.getByText('Filtered: 2 of 5 entries shown').waitFor();
    expect(await page.locator('.card.is-fail:visible').count()).toBe(0);
  });

  test('keeps to an operation, in the tables too', async () => {
    const page = await open(oneCause, { viewport: wide });
    await page.locator('select[name=operation]').selectOption('getPublicContact');
    await page.getByText('Filtered: 2 of 45 entries shown').waitFor();
    expect(await page.locator('tr[data-row]:visible').count()).toBe(2);
  });

  test('gives way to a link to what it hides', async () => {
    const page = await open(oneFailure, { viewport: wide });
    await page.locator('select[name=outcome]').selectOption('warn');
    await page.getByText('Filtered:').waitFor();
    await page.locator('.matrix a').filter({ hasText: '✗' }).click();
    await becomesTrue(page, "document.activeElement.tagName === 'SUMMARY'");
    expect(await page.locator('details:target').isVisible()).toBe(true);
  });
});

test('a link to a finding opens it', async () => {
  const page = await open(oneCause, { viewport: wide });
  const last = page.locator('details[data-entry]').last();
  const id = await last.getAttribute('id');
  expect(await last.getAttribute('open')).toBeNull();
  await page.goto(`${page.url()}#${id}`);
  await page.reload();
  await becomesTrue(page, `document.getElementById('${id}').open`);
});

test('the shell line is copied as it is shown', async () => {
  const page = await open(oneFailure, { viewport: wide, permissions: ['clipboard-read', 'clipboard-write'] });
  const line = page.locator('.shell-line').first();
  await line.getByRole('button').click();
  await line.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await line.locator('pre').textContent());
});

describe('hostile content', () => {
  test('is not run, by loading, opening, searching or clicking', async () => {
    const page = await open(hostileBodies, { viewport: wide });
    await page.getByRole('button', { name: 'Open all' }).click();
    await page.getByRole('searchbox').fill('<script>');
    await page.getByText('Filtered:').waitFor();
    await page.mouse.click(640, 400);
    expect(await hasBreached(page)).toBe(false);
    expect(
      await page.locator('iframe, img, object, embed, base, form[action], [onerror], [onload]').count(),
    ).toBe(0);
    expect(await page.locator('script').count()).toBe(1);
    expect(await page.locator('main').count()).toBe(1);
  });

  test('would not run even if it were markup', async () => {
    const page = await open(hostileBodies, { viewport: wide });
    await page.evaluate(
      'document.body.insertAdjacentHTML(\'beforeend\', \'<img src="data:," onerror="window.breached=1">\')',
    );
    await page.waitForTimeout(200);
    expect(await hasBreached(page)).toBe(false);
    // The browser's refusal is what was asked for.
    expect(opened?.complaints.some((complaint) => complaint.includes('Content Security Policy'))).toBe(true);
    if (opened) opened.complaints.length = 0;
  });

  test('turns no text of the page', async () => {
    const page = await open(hostileBodies, { viewport: wide });
    expect(await page.evaluate('document.body.textContent')).not.toMatch(
      /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/,
    );
    const isolated = await page.evaluate(
      "[...document.querySelectorAll('pre, code, bdi')].every((e) => getComputedStyle(e).direction === 'ltr' && getComputedStyle(e).unicodeBidi.includes('isolate'))",
    );
    expect(isolated).toBe(true);
  });

  test('of a megabyte does not slow the page down', async () => {
    const start = performance.now();
    const page = await open(hostileBodies, { viewport: wide });
    expect(await page.locator('h1').isVisible()).toBe(true);
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(await page.locator('figcaption').filter({ hasText: '1,048,576 bytes' }).count()).toBe(1);
  });
});

test('on paper all is open, light, and nothing is cut at the side', async () => {
  const page = await open(oneCause, { viewport: { width: 718, height: 1000 }, colorScheme: 'dark' });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  expect(await page.locator('details:not([open])').count()).toBe(0);
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(718);
  expect(await page.locator('input:visible, button:visible').count()).toBe(0);
});
