import { makeBadge } from 'badge-maker';
import type { Report, Verdict } from '../../harness/model/report.ts';
import type { RenderedFile } from '../formats.ts';
import { rootCausesOf } from '../model/root-causes.ts';
import { profileOf } from '../model/run-figures.ts';
import { escapeText, plural } from '../model/wording.ts';

const colors: Readonly<Record<Verdict, string>> = {
  conformant: 'brightgreen',
  'non-conformant': 'red',
  incomplete: 'yellow',
  error: 'lightgrey',
};

/** A badge with verdict and profile, as SVG and in the endpoint schema of shields.io; only `conformant` is green. */
export function renderBadge(report: Report): readonly RenderedFile[] {
  const { verdict } = report;
  const failing = rootCausesOf(report).filter(({ weight }) => weight === 'fail').length;
  const said = verdict === 'non-conformant' ? plural(failing, 'root cause') : verdict;
  const message = `${said}, profile ${escapeText(profileOf(report), 20)}`;
  const badge = { label: 'commerce conformance', message, color: colors[verdict] };
  // An error keeps a page from choosing another colour for the badge.
  const endpoint = { schemaVersion: 1, ...badge, isError: verdict !== 'conformant' };
  return [
    { path: 'badge.svg', text: `${makeBadge(badge)}\n` },
    { path: 'badge.json', text: `${JSON.stringify(endpoint, null, 2)}\n` },
  ];
}
