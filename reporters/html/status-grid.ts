import type { Element } from 'hast';
import { h } from 'hastscript';
import type { CoverageEntry } from '../../harness/model/report.ts';
import { number } from '../model/wording.ts';
import type { PageModel } from './page-model.ts';
import { sectionView } from './row.ts';
import { operationName, shown } from './shown-text.ts';

function cellView(operation: string, status: number, entry: CoverageEntry | undefined): Element {
  const isSeen = entry !== undefined && entry.observed > 0;
  const words = isSeen
    ? `observed ${number(entry.observed)} times${entry.undocumented ? '; the contract does not have this status' : ''}`
    : `not observed: ${shown(entry?.reason ?? 'the contract does not have this status', 300)}`;
  return h(
    'td',
    {
      className: [isSeen ? (entry.undocumented ? 'cell-error' : 'seen') : 'unseen-status'],
      title: `${shown(operation, 120)}, ${status}: ${words}`,
    },
    [
      h('span', { ariaHidden: 'true' }, isSeen ? number(entry.observed) : '·'),
      h('span', { className: ['unseen'] }, words),
    ],
  );
}

/** How often each operation answered with each status; tooltips give the reason where it never did. */
export function statusesSection({ report }: PageModel): Element | null {
  const { coverage, operations } = report;
  if (coverage.length === 0) return null;
  const statuses = [...new Set(coverage.map(({ status }) => status))].sort((a, b) => a - b);
  const documented = coverage.filter(({ undocumented }) => undocumented !== true);
  const seen = documented.filter(({ observed }) => observed > 0).length;
  const byKey = new Map(coverage.map((entry) => [`${entry.status} ${entry.operation}`, entry]));
  return sectionView('statuses', 'Observed statuses', [
    h(
      'p',
      { className: ['quiet'] },
      `${number(seen)} of ${number(documented.length)} pairs of operation and documented status were observed. Point at a cell for its reason.`,
    ),
    h('div', { className: ['scroll'], tabIndex: 0, role: 'group', ariaLabelledBy: 'statuses-title' }, [
      h('table', { className: ['grid'] }, [
        h('caption', { className: ['unseen'] }, 'Number of responses by operation and status'),
        h(
          'thead',
          h('tr', [
            h('th', { scope: 'col' }, 'Operation'),
            ...statuses.map((status) => h('th', { scope: 'col' }, String(status))),
          ]),
        ),
        h(
          'tbody',
          operations.map(({ id }) =>
            h('tr', { dataOperations: id, dataLine: '' }, [
              h('th', { scope: 'row' }, operationName(id)),
              ...statuses.map((status) => cellView(id, status, byKey.get(`${status} ${id}`))),
            ]),
          ),
        ),
      ]),
    ]),
  ]);
}
