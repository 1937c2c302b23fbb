import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../harness/model/report.ts';
import {
  fiveCauses,
  hostileBodies,
  incomplete,
  oneCause,
  oneFailure,
} from '../testing/sample-reports-for-tests.ts';
import { openChromium } from './browser-for-tests.ts';
import { openReport, type ReportPage } from './report-page-for-tests.ts';

const wide = { width: 1400, height: 900 };

let browser: Browser;
let opened: ReportPage | undefined;
beforeAll(async () => {
  browser = await openChromium();
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

/** Asked again from here: the page's policy forbids what waits within the page. */
async function becomesTrue(page: Page, expression: string): Promise<void> {
  await expect.poll(() => page.evaluate(expression), { timeout: 5_000, message: expression }).toBe(true);
}

async function hasBreached(page: Page): Promise<boolean> {
  return page.evaluate("'breached' in window");
}

test.each([
  [390, incomplete],
  [1440, oneFailure],
])('at %i pixels, the verdict fits one line, and nothing of a short list is cut', async (width, report) => {
  const page = await open(report, { viewport: { width, height: 900 } });
  expect(await page.evaluate("document.querySelector('h1').clientHeight")).toBeLessThan(40);
  const list = "document.querySelector('.first ol')";
  expect(await page.evaluate(`${list}.scrollHeight - ${list}.clientHeight`)).toBe(0);
  // The list would cut an outline.
  const outline = "getComputedStyle(document.querySelector('.first .mark')).outlineStyle";
  expect(await page.evaluate(outline)).toBe('none');
});

describe('with the keyboard', () => {
  test('the first stop skips the head', async () => {
    const page = await open(oneFailure, { viewport: wide });
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the results');
  });

  test('j and k move between rows, enter opens, escape closes, and the URL follows', async () => {
    const page = await open(fiveCauses, { viewport: wide });
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    expect(await page.evaluate('document.activeElement.parentElement.id')).toBe('cause-2');
    await page.keyboard.press('Enter');
    await becomesTrue(page, "document.getElementById('cause-2').open && location.hash === '#cause-2'");
    await page.keyboard.press('Escape');
    await becomesTrue(page, "!document.getElementById('cause-2').open && location.hash === ''");
    expect(await page.locator('.keys').innerText()).toMatch(/j\s*next.*esc\s*close/s);
  });

  test('slash searches', async () => {
    const page = await open(fiveCauses, { viewport: wide });
    await page.keyboard.press('/');
    await page.keyboard.type('stack trace');
    await page.getByText('1 of 5 rows').waitFor();
    await page.keyboard.press('Escape');
    await becomesTrue(page, "document.querySelectorAll('[data-row][hidden]').length === 0");
  });

  test('Enter in the grid leads to the finding in its opened row', async () => {
    const page = await open(oneFailure, { viewport: wide });
    await page.locator('.matrix a').filter({ hasText: '✗' }).focus();
    await page.keyboard.press('Enter');
    await becomesTrue(page, "document.activeElement.id === 'efc36cf8'");
    expect(await page.locator('#cause-1').getAttribute('open')).not.toBeNull();
  });

  test('arrow keys go from link to link in the grid', async () => {
    const page = await open(oneCause, { viewport: wide });
    const links = page.locator(
      '.matrix tr[data-operations=initiateHostedLogin] a, .matrix tr[data-operations=consumeHostedLoginReturn] a',
    );
    await links.first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await links.last().evaluate((element) => element.matches(':focus'))).toBe(true);
  });

  test('Enter at an inconclusive cell leads to the line that tests it', async () => {
    const page = await open(incomplete, { viewport: wide });
    await page.locator('.matrix a').first().focus();
    await page.keyboard.press('Enter');
    await becomesTrue(page, "document.activeElement.closest('details').id.startsWith('open-')");
  });
});

describe('the filter', () => {
  test('keeps to an operation, in the grids too', async () => {
    const page = await open(oneCause, { viewport: wide });
    await page.locator('select[name=operation]').selectOption('listPublicContactChannels');
    await page.getByText('1 of 3 rows').waitFor();
    expect(await page.locator('tr[data-line]:visible').count()).toBe(2);
  });

  test('gives way to a link to a hidden row', async () => {
    const page = await open(oneFailure, { viewport: wide });
    await page.locator('select[name=outcome]').selectOption('warn');
    await page.getByText('1 of 3 rows').waitFor();
    expect(await page.locator('.row.is-fail:visible').count()).toBe(0);
    await page.locator('.matrix a').filter({ hasText: '✗' }).click();
    await becomesTrue(page, "document.activeElement.id === 'efc36cf8'");
    expect(await page.locator('#cause-1').isVisible()).toBe(true);
  });

  test('stands in the URL with the open row', async () => {
    const page = await open(fiveCauses, { viewport: wide });
    await page.getByRole('searchbox').fill('invalid key');
    await page.locator('select[name=outcome]').selectOption('fail');
    await page.getByText('1 of 5 rows').waitFor();
    await page.locator('#cause-2 > summary').click();
    await becomesTrue(page, "location.hash === '#cause-2&q=invalid%20key&outcome=fail'");
    await page.reload();
    await page.getByText('1 of 5 rows').waitFor();
    expect(await page.locator('#cause-2').getAttribute('open')).not.toBeNull();
    expect(await page.locator('[data-row]:visible').count()).toBe(1);
  });
});

test('a link to a finding opens its root cause', async () => {
  const page = await open(oneCause, { viewport: wide });
  const last = page.locator('.finding').last();
  const id = await last.getAttribute('id');
  const isOpen = `document.getElementById('${id}').open && document.getElementById('cause-aaaaaaaa').open`;
  await page.goto(`${page.url()}#${id}`);
  await becomesTrue(page, isOpen);
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
  expect(await page.evaluate('location.hash')).toBe(`#${id}`);
  await page.reload();
  await becomesTrue(page, isOpen);
});

test('the shell line is copied as it is shown', async () => {
  const page = await open(oneFailure, { viewport: wide, permissions: ['clipboard-read', 'clipboard-write'] });
  await page.locator('#cause-1 > summary').click();
  const line = page.locator('#cause-1 .shell-line').first();
  await line.getByRole('button').click();
  await line.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await line.locator('pre').textContent());
});

describe('hostile content', () => {
  test('is not run, by loading, opening, searching or clicking', async () => {
    const page = await open(hostileBodies, { viewport: wide });
    await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
    await page.getByRole('searchbox').fill('<script>');
    await page.getByText('rows', { exact: false }).first().waitFor();
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

  test('of a megabyte is shown in part', async () => {
    const page = await open(hostileBodies, { viewport: wide });
    expect(await page.locator('h1').isVisible()).toBe(true);
    expect(await page.locator('figcaption').filter({ hasText: '1,048,576 bytes' }).count()).toBe(1);
  });
});

test('paper shows the root causes opened, in light colors, and cuts nothing at the side', async () => {
  const page = await open(oneCause, { viewport: { width: 718, height: 1000 }, colorScheme: 'dark' });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  expect(await page.locator('.row:not([open])').count()).toBe(0);
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(718);
  expect(await page.locator('input:visible, button:visible').count()).toBe(0);
});
