import type { Element } from 'hast';
import { h, s } from 'hastscript';
import { duration, number, plural } from '../model/wording.ts';
import type { PageModel } from './page-model.ts';

interface Bar {
  readonly name: string;
  readonly value: number;
  readonly text: string;
  readonly kind: string;
}

/** A row for each bar; the drawing repeats what its row says, so that it is hidden from who listens. */
function plot(title: string, columns: readonly [string, string], bars: readonly Bar[]): Element {
  const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  return h('table', { className: ['plot'] }, [
    h('caption', title),
    h(
      'thead',
      { className: ['unseen'] },
      h(
        'tr',
        columns.map((column) => h('th', { scope: 'col' }, column)),
      ),
    ),
    h(
      'tbody',
      bars.map(({ name, value, text, kind }) =>
        h('tr', [
          h('th', { scope: 'row' }, name),
          h('td', [
            s(
              'svg',
              { className: ['bar'], width: '100%', height: '14', ariaHidden: 'true', focusable: 'false' },
              [
                s('rect', { className: ['rail'], width: '100%', height: '14', rx: '2' }),
                s('rect', { className: [kind], width: `${percent(value, most)}%`, height: '14', rx: '2' }),
              ],
            ),
            h('span', text),
          ]),
        ]),
      ),
    ),
  ]);
}

/** A share that can be drawn: what is there at all is seen. */
function percent(value: number, whole: number): number {
  if (!(value > 0)) return 0;
  return Number(Math.max(0.6, Math.min(100, (value / whole) * 100)).toFixed(2));
}

/** What the run put on the wire: the time to answer, and the answers by status. */
export function plotsSection({ report }: PageModel): Element {
  const { latencyMs, byStatus, requests, throttled } = report.traffic;
  const answers = Object.entries(byStatus).sort(
    ([a], [b]) => Number(a === 'none') - Number(b === 'none') || (a < b ? -1 : 1),
  );
  return h('section', { id: 'traffic', ariaLabelledBy: 'traffic-title' }, [
    h('h2', { id: 'traffic-title' }, 'Traffic'),
    h(
      'p',
      `${plural(requests, 'request')} in ${duration(report.run.durationMs)}, ${number(throttled)} throttled.`,
    ),
    h('div', { className: ['plots'] }, [
      plot(
        'Time to answer',
        ['Percentile', 'Time'],
        (['p50', 'p95', 'p99'] as const).map((name) => ({
          name,
          value: latencyMs[name],
          text: duration(latencyMs[name]),
          kind: 'latency',
        })),
      ),
      answers.length === 0
        ? h('p', 'No answer was counted.')
        : plot(
            'Answers by status',
            ['Status', 'Answers'],
            answers.map(([status, count]) => ({
              name: status === 'none' ? 'none' : status,
              value: count,
              text: number(count),
              kind: statusClass(status),
            })),
          ),
    ]),
  ]);
}

function statusClass(status: string): string {
  return /^[1-5]\d\d$/.test(status) ? `status-${status.charAt(0)}` : 'status-none';
}
