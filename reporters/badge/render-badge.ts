import { makeBadge } from 'badge-maker';
import type { Report, Verdict } from '../../harness/model/report.ts';
import { escapeText } from '../model/escape.ts';
import { rootCausesOf } from '../model/root-causes.ts';
import { profileOf } from '../model/run-figures.ts';
import { plural } from '../model/wording.ts';

/** The content of a badge, in the endpoint schema of shields.io. */
export interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
  /** Keeps a page from choosing another colour for the badge. */
  readonly isError: boolean;
}

/** The verdict and the profile on a badge; only `conformant` is green. */
export function badgeOf(report: Report): Badge {
  const { verdict } = report;
  const failing = rootCausesOf(report).filter(({ weight }) => weight === 'fail').length;
  const said = verdict === 'non-conformant' ? plural(failing, 'root cause') : verdict;
  const profile = escapeText(profileOf(report), 20);
  return {
    schemaVersion: 1,
    label: 'commerce conformance',
    message: `${said}, profile ${profile}`,
    color: colors[verdict],
    isError: verdict !== 'conformant',
  };
}

const colors: Readonly<Record<Verdict, string>> = {
  conformant: 'brightgreen',
  'non-conformant': 'red',
  incomplete: 'yellow',
  error: 'lightgrey',
};

/** The badge as SVG. */
export function renderBadgeSvg(report: Report): string {
  const { label, message, color } = badgeOf(report);
  return `${makeBadge({ label, message, color })}\n`;
}

/** The badge as a badge service reads it from a URL. */
export function renderBadgeJson(report: Report): string {
  return `${JSON.stringify(badgeOf(report), null, 2)}\n`;
}
