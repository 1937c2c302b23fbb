import type { Element } from 'hast';
import { h } from 'hastscript';
import type { CoverageEntry } from '../../harness/model/report.ts';
import { number } from '../model/wording.ts';
import type { PageModel } from './page-model.ts';
import { operationName, shown } from './shown-text.ts';

/** A letter, then two, for the reasons below the table. */
function letterOf(index: number): string {
  const letter = String.fromCharCode(97 + (index % 26));
  return index < 26 ? letter : `${letterOf(Math.floor(index / 26) - 1)}${letter}`;
}

function cellView(entry: CoverageEntry | undefined, reasons: readonly string[]): Element {
  if (entry === undefined) return h('td', h('span', { className: ['unseen'] }, 'not in the ledger'));
  if (entry.observed > 0) return h('td', { className: ['observed'] }, `✓ ${number(entry.observed)}`);
  const at = reasons.indexOf(entry.reason ?? '');
  return h('td', { className: ['unobserved'], title: shown(entry.reason ?? 'not observed', 300) }, [
    h('span', { ariaHidden: 'true' }, '– '),
    h('span', { className: ['unseen'] }, 'not observed, '),
    at === -1 ? null : h('sup', [h('span', { className: ['unseen'] }, 'reason '), letterOf(at)]),
  ]);
}

/** How often each operation answered with each documented status, and why it never did; null where nothing is recorded. */
export function ledgerSection({ report }: PageModel): Element | null {
  const { coverage, operations } = report;
  if (coverage.length === 0) return null;
  const statuses = [...new Set(coverage.map(({ status }) => status))].sort((a, b) => a - b);
  const unobserved = coverage.filter(({ observed }) => observed === 0);
  const reasons = [...new Set(unobserved.flatMap(({ reason }) => (reason ? [reason] : [])))];
  const byKey = new Map(coverage.map((entry) => [`${entry.status} ${entry.operation}`, entry]));
  return h('section', { id: 'ledger', ariaLabelledBy: 'ledger-title' }, [
    h('h2', { id: 'ledger-title' }, 'Coverage: which status was seen where'),
    h(
      'p',
      `${number(coverage.length - unobserved.length)} of ${number(coverage.length)} pairs of operation and documented status were observed.`,
    ),
    h('div', { className: ['scroll'], tabIndex: 0, role: 'group', ariaLabelledBy: 'ledger-title' }, [
      h('table', { className: ['ledger'] }, [
        h('caption', { className: ['unseen'] }, 'Number of answers by operation and status'),
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
            h('tr', { dataOperations: id, dataRow: '' }, [
              h('th', { scope: 'row' }, operationName(id)),
              ...statuses.map((status) => cellView(byKey.get(`${status} ${id}`), reasons)),
            ]),
          ),
        ),
      ]),
    ]),
    reasons.length === 0
      ? null
      : [
          h('h3', 'Why a status was not observed'),
          h(
            'dl',
            { className: ['reasons'] },
            reasons.map((reason, at) => h('div', [h('dt', letterOf(at)), h('dd', shown(reason, 300))])),
          ),
        ],
  ]);
}
