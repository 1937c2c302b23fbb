import { makeBadge } from 'badge-maker';
import type { Report } from '../../harness/model/report.ts';
import { badgeOf } from './badge.ts';

/** The badge as SVG. */
export function renderBadgeSvg(report: Report): string {
  const { label, message, color } = badgeOf(report);
  return `${makeBadge({ label, message, color })}\n`;
}

/** The badge as a badge service reads it from a URL. */
export function renderBadgeJson(report: Report): string {
  return `${JSON.stringify(badgeOf(report), null, 2)}\n`;
}
