import { createHash } from 'node:crypto';
import type { Element, Root } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { h } from 'hastscript';
import type { Report, Verdict } from '../../harness/model/report.ts';
import type { Requirement } from '../../spec/requirements.ts';
import { wasTested } from '../model/run-figures.ts';
import { customChecksSection, harnessErrorsSection } from './beside-the-verdict.ts';
import { verdictSign } from './mark.ts';
import { notTestedSection } from './not-tested.ts';
import { operationsSection } from './operations-grid.ts';
import { type PageModel, pageModelOf } from './page-model.ts';
import { rootCausesSection } from './root-causes.ts';
import { runSection } from './run-facts.ts';
import { script } from './script.ts';
import { shown } from './shown-text.ts';
import { statusesSection } from './status-grid.ts';
import { style } from './style.ts';
import { trafficSection } from './timeline.ts';
import { toolbar } from './toolbar.ts';
import { topSection } from './top.ts';

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
    h('meta', { name: 'generator', content: 'commerce-conformance' }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('meta', { name: 'color-scheme', content: 'light dark' }),
    h('meta', { name: 'referrer', content: 'no-referrer' }),
    h('title', `${verdict}: ${shown(target.baseUrl, 200)}`),
    h('link', { rel: 'icon', href: icon(verdict) }),
    h('style', style),
  ]);
}

/** Root causes come first; without any, the inconclusive cases do. Where nothing was tested, neither says anything. */
function sections(model: PageModel): (Element | null)[] {
  if (!wasTested(model.report))
    return [harnessErrorsSection(model), trafficSection(model), runSection(model)];
  const causes = rootCausesSection(model);
  const open = notTestedSection(model);
  return [
    harnessErrorsSection(model),
    ...(model.rootCauses.length > 0 ? [causes, open] : [open, causes]),
    operationsSection(model),
    statusesSection(model),
    trafficSection(model),
    customChecksSection(model),
    runSection(model),
  ];
}

/**
 * The report as one HTML page that loads nothing from the network; without `requirements`, from `loadRequirements`, it
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
          h('a', { className: ['skip'], href: '#main' }, 'Skip to the results'),
          topSection(model),
          toolbar(model),
          h('main', { id: 'main', tabIndex: -1 }, sections(model)),
          h('footer', h('p', 'Made from report.json, which also holds the cases that passed.')),
          h('script', script),
        ]),
      ]),
    ],
  };
  return `${toHtml(page)}\n`;
}
