import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface AxeViolation {
  readonly id: string;
  readonly nodes: ReadonlyArray<{ readonly target: readonly unknown[]; readonly failureSummary?: string }>;
}

const tags = "'wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'";

/** What axe objects to on a page: by all of its rules, or to its colours alone, which the colour scheme decides. */
export async function accessibilityViolations(
  page: Page,
  rules: 'all' | 'colours' = 'all',
): Promise<string[]> {
  const runOnly = rules === 'all' ? `[${tags}]` : "{ type: 'rule', values: ['color-contrast'] }";
  // Injected through the debugger's world, which the page's policy does not bind.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const violations = (await page.evaluate(
    `axe.run(document, { runOnly: ${runOnly}, resultTypes: ['violations'] }).then((r) => r.violations)`,
  )) as AxeViolation[];
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}
