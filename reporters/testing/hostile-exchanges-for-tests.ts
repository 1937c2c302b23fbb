import type { Exchange, RecordedBody } from '../../harness/model/exchange.ts';
import { sampleExchange } from './sample-cases-for-tests.ts';
import { sampleOperations } from './sample-operations-for-tests.ts';

/** Markup that would set `breached` of the window if a page let it run. */
export const breachingMarkup: string =
  '</pre></script></style></title><script>window.breached=1</script><img src="x" onerror="window.breached=1"><svg onload="window.breached=1"></svg>"><img src=x onerror=window.breached=1><iframe srcdoc="<script>parent.breached=1</script>"></iframe><a href="javascript:window.breached=1" style="position:fixed;inset:0">click</a><!--';

function body(text: string, change: Partial<RecordedBody> = {}): RecordedBody {
  return {
    text,
    encoding: 'utf-8',
    bytes: Buffer.byteLength(text),
    truncated: false,
    json: 'malformed',
    ...change,
  };
}

function bodiesWith(hostileText: string): readonly RecordedBody[] {
  return [
    body(breachingMarkup),
    body(JSON.stringify({ message: breachingMarkup, turned: hostileText, ['</script>']: [1, { a: {} }] }), {
      json: 'object',
    }),
    body(hostileText),
    body(
      '\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 a\u0301'.repeat(3) +
        'Z\u0334\u0321\u033a'.repeat(200),
    ),
    body('x<b>'.repeat(256 * 1024)),
    body(`${'['.repeat(30_000)}${']'.repeat(30_000)}`, { json: 'array' }),
    body('AP/+gIGC', { encoding: 'base64', bytes: 6 }),
    body(`{"message":42,"items":[${Array.from({ length: 400 }, (_, n) => `{"n":${n}}`).join(',')}`, {
      truncated: true,
      bytes: 90_000,
    }),
  ];
}

/** Exchanges whose answers try to break out of whatever shows them, each at an operation of its own. */
export function hostileExchanges(
  hostileText: string,
): ReadonlyArray<readonly [operation: string, exchange: Exchange]> {
  return bodiesWith(hostileText).map((answered, at) => {
    const operation = sampleOperations[at]?.id ?? '';
    const exchange = sampleExchange(operation, 'error/body-is-json');
    return [
      operation,
      {
        ...exchange,
        label: breachingMarkup,
        request: {
          ...exchange.request,
          path: `/${breachingMarkup}${hostileText}`,
          values: { slug: { value: hostileText, source: 'generated' } },
          body: body(breachingMarkup),
        },
        response: {
          status: 404,
          headers: [
            ['content-type', breachingMarkup],
            ['x-note', hostileText],
          ],
          body: answered,
        },
      },
    ];
  });
}
