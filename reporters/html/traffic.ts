import type { Element } from 'hast';
import { h, s } from 'hastscript';
import type { Timeline } from '../../harness/model/report.ts';
import { slowedInWords } from '../model/slowdown.ts';
import { duration, number, plural, sentence } from '../model/wording.ts';
import { sectionView, sheet } from './elements.ts';
import type { PageModel } from './page-model.ts';

const height = 64;
const width = 1_000;

/** A bar for each bucket: served requests at the foot, throttled and failed ones above. */
function bars({ bucketMs, buckets }: Timeline, step: number): Element[] {
  const most = Math.max(1, ...buckets.map(({ requests }) => requests));
  return buckets.flatMap(({ requests, throttled, unanswered, meanMs, maxMs }, index) => {
    if (requests === 0) return [];
    let y = height;
    const parts = [
      ['ok', requests - throttled - unanswered],
      ['throttled', throttled],
      ['bad', unanswered],
    ] as const;
    const rects = parts.flatMap(([name, count]) => {
      const size = (count / most) * height;
      y -= size;
      if (count === 0) return [];
      const place = { x: (index * step).toFixed(1), y: y.toFixed(1) };
      const extent = { width: Math.max(1, step - 1).toFixed(1), height: Math.max(1, size).toFixed(1) };
      return [s(`rect.bar-${name}`, { ...place, ...extent })];
    });
    const text = [
      `after ${duration(index * bucketMs)}: ${plural(requests, 'request')}`,
      ...(throttled > 0 ? [`${number(throttled)} answered 429`] : []),
      ...(unanswered > 0 ? [`${number(unanswered)} without a good response`] : []),
      `mean ${duration(meanMs)}, longest ${duration(maxMs)}`,
    ].join(', ');
    return [s('g', [s('title', text), ...rects])];
  });
}

/** The latency of the buckets as a line over the bars. */
function latency({ buckets }: Timeline, step: number): Element {
  const most = Math.max(Number.MIN_VALUE, ...buckets.map(({ meanMs }) => meanMs));
  const points = buckets.flatMap(({ requests, meanMs }, index) =>
    requests === 0
      ? []
      : [`${((index + 0.5) * step).toFixed(1)},${(height - (meanMs / most) * (height - 4)).toFixed(1)}`],
  );
  return s('polyline.latency', { points: points.join(' '), fill: 'none' });
}

const legend = [
  ['bar-ok', 'requests '],
  ['bar-throttled', 'throttled '],
  ['bar-bad', '5xx or none '],
  ['latency', 'mean latency'],
] as const;

function drawing(timeline: Timeline): Element {
  const { bucketMs, buckets } = timeline;
  const step = width / Math.max(1, buckets.length);
  const size = { viewBox: `0 0 ${width} ${height}`, width: '100%', height: String(height) };
  const about = { preserveAspectRatio: 'none', role: 'img', ariaLabel: 'Requests over time' };
  const keys = legend.flatMap(([name, text]) => [h(`span.key.${name}`), text]);
  return h('figure.timeline', [
    s('svg', { ...size, ...about }, [...bars(timeline, step), latency(timeline, step)]),
    h('figcaption', [h('span', '0'), h('span', keys), h('span', duration(bucketMs * buckets.length))]),
  ]);
}

/** The requests of the run: over time, by status, and their latency. */
export function trafficSection({ report }: PageModel): Element {
  const { latencyMs, byStatus, requests, throttled, timeline } = report.traffic;
  const slowed = slowedInWords(report);
  const responses = Object.entries(byStatus)
    .sort(([a], [b]) => Number(a === 'none') - Number(b === 'none') || (a < b ? -1 : 1))
    .map(([status, count]) => `${status === 'none' ? 'no response' : status} × ${number(count)}`);
  const quantiles = (['p50', 'p95', 'p99'] as const).map((name) => `${name} ${duration(latencyMs[name])}`);
  const sent = `${number(requests)} in ${duration(report.run.durationMs)}, ${number(throttled)} answered 429`;
  return sectionView('traffic', 'Requests over time', [
    timeline === undefined || timeline.buckets.length === 0 ? null : drawing(timeline),
    sheet([
      ['Requests', sent],
      ['Pace', slowed === undefined ? null : sentence(slowed)],
      ['Latency', quantiles.join(' · ')],
      ['Responses', responses.join(' · ') || 'none'],
    ]),
  ]);
}
