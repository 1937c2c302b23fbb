import { makeBadge } from 'badge-maker';
import type { Report } from '../../harness/model/report.ts';
import { rootCausesOf } from '../model/root-causes.ts';
import { plural } from '../model/wording.ts';

/** What a badge says, in the words of the endpoint schema of shields.io. */
export interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
  /** Keeps a page from painting the badge in a colour of its own. */
  readonly isError: boolean;
}

/** The verdict on a badge; green stands for `conformant` alone. */
export function badgeOf(report: Report): Badge {
  const said = saidOf(report);
  return {
    schemaVersion: 1,
    label: 'commerce conformance',
    ...said,
    isError: report.verdict !== 'conformant',
  };
}

function saidOf(report: Report): Pick<Badge, 'message' | 'color'> {
  switch (report.verdict) {
    case 'conformant':
      return { message: 'conformant', color: 'brightgreen' };
    case 'non-conformant':
      return { message: plural(failingCauses(report), 'root cause'), color: 'red' };
    case 'incomplete':
      return { message: 'incomplete', color: 'yellow' };
    case 'error':
      return { message: 'error', color: 'lightgrey' };
  }
}

function failingCauses(report: Report): number {
  return rootCausesOf(report).filter(({ weight }) => weight === 'fail').length;
}

/** The badge as SVG. */
export function renderBadgeSvg(report: Report): string {
  const { label, message, color } = badgeOf(report);
  return `${makeBadge({ label, message, color })}\n`;
}

/** The badge as a badge service reads it from a URL. */
export function renderBadgeJson(report: Report): string {
  return `${JSON.stringify(badgeOf(report), null, 2)}\n`;
}
