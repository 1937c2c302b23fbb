import { createHash } from 'node:crypto';
import type { Element, Root } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { h } from 'hastscript';
import type { Report, Verdict } from '../../harness/model/report.ts';
import type { Requirement } from '../../spec/requirements.ts';
import { additionalSection } from './additional-section.ts';
import { causesSection } from './causes.ts';
import { findingsSection } from './finding-card.ts';
import { harnessErrorsSection } from './harness-errors.ts';
import { inconclusiveSection } from './inconclusive.ts';
import { ledgerSection } from './ledger.ts';
import { matrixSection } from './matrix.ts';
import { type PageModel, pageModelOf } from './page-model.ts';
import { plotsSection } from './plots.ts';
import { runSection } from './run-facts.ts';
import { script } from './script.ts';
import { shown } from './shown-text.ts';
import { style } from './style.ts';
import { summarySection } from './summary.ts';
import { toolbar } from './toolbar.ts';
import { verdictBanner, verdictSign } from './verdict-banner.ts';

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}

/** Nothing but the page's own style and script, and no network at all. */
const policy: string = [
  "default-src 'none'",
  `style-src ${hashSource(style)}`,
  `script-src ${hashSource(script)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const iconFills: Readonly<Record<Verdict, string>> = {
  conformant: '#1b6b3a',
  'non-conformant': '#b3261e',
  incomplete: '#1d4f91',
  error: '#b3261e',
};

function icon(verdict: Verdict): string {
  const drawing = toHtml(verdictSign(verdict, { fill: iconFills[verdict], stroke: '#fff' }), {
    space: 'svg',
  });
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`;
}

function head({ verdict, target }: Report): Element {
  return h('head', [
    h('meta', { charSet: 'utf-8' }),
    h('meta', { httpEquiv: 'Content-Security-Policy', content: policy }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('meta', { name: 'color-scheme', content: 'light dark' }),
    h('meta', { name: 'referrer', content: 'no-referrer' }),
    h('title', `${verdict}: ${shown(target.baseUrl, 200)}`),
    h('link', { rel: 'icon', href: icon(verdict) }),
    h('style', style),
  ]);
}

/** Where nothing failed, what could not be judged is what there is to do. */
function parts(model: PageModel): (Element | null)[] {
  const causes = causesSection(model);
  const open = inconclusiveSection(model);
  const matrix = matrixSection(model);
  const findings = findingsSection(model);
  const first =
    model.violations.failures.length > 0
      ? [causes, matrix, findings, open]
      : [open, causes, matrix, findings];
  return [
    harnessErrorsSection(model),
    ...first,
    additionalSection(model),
    ledgerSection(model),
    plotsSection(model),
    runSection(model),
  ];
}

/**
 * The report as one HTML page that asks nothing of the network; without `requirements`, from `loadRequirements`, it
 * lacks the explanations. The same report gives the same bytes.
 */
export function renderHtml(report: Report, requirements: readonly Requirement[] = []): string {
  const model = pageModelOf(report, requirements);
  const page: Root = {
    type: 'root',
    children: [
      { type: 'doctype' },
      h('html', { lang: 'en' }, [
        head(report),
        h('body', [
          h('a', { className: ['skip'], href: '#main' }, 'To the report'),
          verdictBanner(report),
          h('main', { id: 'main', tabIndex: -1 }, [summarySection(model), toolbar(model), ...parts(model)]),
          h('footer', h('p', 'Made from report.json, which holds all of this and the cases that passed.')),
          h('script', script),
        ]),
      ]),
    ],
  };
  return `${toHtml(page)}\n`;
}
