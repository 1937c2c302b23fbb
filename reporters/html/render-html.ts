import type { Element } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { h } from 'hastscript';
import type { Report, Verdict } from '../../harness/model/report.ts';
import type { Requirement } from '../../spec/requirements.ts';
import { casesInWords, reasonsOf, wasTested } from '../model/run-figures.ts';
import { type Content, code, prose, renderPage, sectionView, sheet, shown, verdictSign } from './elements.ts';
import { operationsSection, statusesSection } from './grids.ts';
import { type PageModel, pageModelOf } from './page-model.ts';
import script from './page-script.js?raw';
import { entriesSection, harnessErrorsSection, notTestedSection, rootCausesSection } from './rows.ts';
import style from './style.css?raw';
import { toolbar, topSection } from './top.ts';
import { trafficSection } from './traffic.ts';

const iconFills: Readonly<Record<Verdict, string>> = {
  conformant: '#1b6b3a',
  'non-conformant': '#b3261e',
  incomplete: '#1d4f91',
  error: '#b3261e',
};

function icon(verdict: Verdict): string {
  const drawing = toHtml(verdictSign(verdict, iconFills[verdict], '#fff'), { space: 'svg' });
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`;
}

/** The inputs of the run: versions, options, and the values that the harness found. */
function runSection({ report }: PageModel): Element {
  const { run, target, contract, harness } = report;
  const lines = (items: readonly (readonly (Element | string)[])[]): Content =>
    items.length === 0 ? 'none' : items.flatMap((item) => [...item, h('br')]);
  const options = Object.entries(run.options)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const excluded = target.excluded?.map(({ operation, parameter, reason, ...one }) => [
    code([one.class, operation, parameter].filter(Boolean).join(' '), 200),
    ': ',
    prose(reason, 300),
  ]);
  const discovered = target.discovered.map(({ name, value, from }) => [
    code(`${name} = ${value}`, 300),
    ' from ',
    prose(from, 120),
  ]);
  const reasons = reasonsOf(report);
  return sectionView('run', 'Run', [
    sheet([
      ['Reasons', reasons.length > 1 ? lines(reasons.map((reason) => [prose(reason, 600)])) : null],
      ['Cases', casesInWords(report)],
      ['Harness', shown(`${harness.name} ${harness.version}`, 200)],
      ['Contract', code(contract.digest, 200)],
      ['Seed', String(run.seed)],
      ['Options', lines(options.map((option) => [code(option, 600)]))],
      ['Values excluded by the target file', excluded && lines(excluded)],
      ['Values found by the harness', lines(discovered)],
    ]),
  ]);
}

/** Root causes come first; without any, the inconclusive cases do. Where nothing was tested, neither says anything. */
function sections(model: PageModel): (Element | null)[] {
  const gate = entriesSection('gate', model);
  const errors = harnessErrorsSection(model);
  if (!wasTested(model.report)) return [gate, errors, trafficSection(model), runSection(model)];
  const rows = [rootCausesSection(model), notTestedSection(model)];
  return [
    gate,
    errors,
    ...(model.causes.length > 0 ? rows : rows.reverse()),
    operationsSection(model),
    statusesSection(model),
    trafficSection(model),
    entriesSection('custom', model),
    runSection(model),
  ];
}

/**
 * The report as one HTML page that loads nothing from the network; without `requirements`, from `loadRequirements`, it
 * lacks the explanations. The same report gives the same bytes.
 */
export function renderHtml(report: Report, requirements: readonly Requirement[] = []): string {
  const model = pageModelOf(report, requirements);
  const { verdict, target } = report;
  const title = `${verdict}: ${shown(target.baseUrl, 200)}`;
  return renderPage({ title, style, script, images: 'data:', icon: icon(verdict) }, [
    h('a.skip', { href: '#main' }, 'Skip to the results'),
    topSection(model),
    toolbar(model),
    h('main', { id: 'main', tabIndex: -1 }, sections(model)),
    h('footer', h('p', 'Made from report.json, which also holds the cases that passed.')),
  ]);
}
