import type { Element } from 'hast';
import { h, s } from 'hastscript';
import type { Timeline } from '../../harness/model/report.ts';
import { slowedInWords } from '../model/slowdown.ts';
import { duration, number, plural, sentence } from '../model/wording.ts';
import type { PageModel } from './page-model.ts';
import { sectionView } from './row.ts';

const height = 64;
const width = 1_000;

function bars({ bucketMs, buckets }: Timeline): (Element | null)[] {
  const most = Math.max(1, ...buckets.map(({ requests }) => requests));
  const step = width / Math.max(1, buckets.length);
  return buckets.map(({ requests, throttled, unanswered, meanMs, maxMs }, index) => {
    if (requests === 0) return null;
    const scale = (count: number): number => Number(((count / most) * height).toFixed(1));
    const bar = (className: string, from: number, count: number): Element | null =>
      count === 0
        ? null
        : s('rect', {
            className: [className],
            x: (index * step).toFixed(1),
            y: (height - scale(from + count)).toFixed(1),
            width: Math.max(1, step - 1).toFixed(1),
            height: Math.max(1, scale(count)).toFixed(1),
          });
    const text = [
      `after ${duration(index * bucketMs)}: ${plural(requests, 'request')}`,
      ...(throttled > 0 ? [`${number(throttled)} throttled`] : []),
      ...(unanswered > 0 ? [`${number(unanswered)} without a good response`] : []),
      `mean ${duration(meanMs)}, longest ${duration(maxMs)}`,
    ].join(', ');
    return s('g', [
      s('title', text),
      bar('bar-ok', 0, requests - throttled - unanswered),
      bar('bar-throttled', requests - throttled - unanswered, throttled),
      bar('bar-bad', requests - unanswered, unanswered),
    ]);
  });
}

/** The latency of the buckets as a line over the bars. */
function latency({ buckets }: Timeline): Element {
  const most = Math.max(Number.MIN_VALUE, ...buckets.map(({ meanMs }) => meanMs));
  const step = width / Math.max(1, buckets.length);
  const points = buckets.flatMap(({ requests, meanMs }, index) =>
    requests === 0
      ? []
      : [`${((index + 0.5) * step).toFixed(1)},${(height - (meanMs / most) * (height - 4)).toFixed(1)}`],
  );
  return s('polyline', { className: ['latency'], points: points.join(' '), fill: 'none' });
}

function drawing(timeline: Timeline): Element {
  return h('figure', { className: ['timeline'] }, [
    s(
      'svg',
      {
        viewBox: `0 0 ${width} ${height}`,
        width: '100%',
        height: String(height),
        preserveAspectRatio: 'none',
        role: 'img',
        ariaLabel: 'Requests over time',
      },
      [...bars(timeline), latency(timeline)],
    ),
    h('figcaption', [
      h('span', '0'),
      h('span', [
        h('span', { className: ['key', 'bar-ok'] }),
        'requests ',
        h('span', { className: ['key', 'bar-throttled'] }),
        'throttled ',
        h('span', { className: ['key', 'bar-bad'] }),
        '5xx or none ',
        h('span', { className: ['key', 'latency'] }),
        'mean latency',
      ]),
      h('span', duration(timeline.bucketMs * timeline.buckets.length)),
    ]),
  ]);
}

/** The requests of the run: over time, by status, and their latency. */
export function trafficSection({ report }: PageModel): Element {
  const { latencyMs, byStatus, requests, throttled, timeline } = report.traffic;
  const slowed = slowedInWords(report);
  const statuses = Object.entries(byStatus).sort(
    ([a], [b]) => Number(a === 'none') - Number(b === 'none') || (a < b ? -1 : 1),
  );
  const facts: ReadonlyArray<readonly [name: string, value: string]> = [
    ['Requests', `${number(requests)} in ${duration(report.run.durationMs)}, ${number(throttled)} throttled`],
    ...(slowed === undefined ? [] : [['Pace', sentence(slowed)] as const]),
    [
      'Latency',
      (['p50', 'p95', 'p99'] as const).map((name) => `${name} ${duration(latencyMs[name])}`).join(' · '),
    ],
    [
      'Responses',
      statuses.length === 0
        ? 'none'
        : statuses
            .map(([status, count]) => `${status === 'none' ? 'no response' : status} × ${number(count)}`)
            .join(' · '),
    ],
  ];
  return sectionView('traffic', 'Requests over time', [
    timeline === undefined || timeline.buckets.length === 0 ? null : drawing(timeline),
    h(
      'dl',
      { className: ['sheet'] },
      facts.flatMap(([name, value]) => [h('dt', name), h('dd', value)]),
    ),
  ]);
}
