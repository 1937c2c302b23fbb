import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleExchange } from '../checks/example-exchange.ts';
import { anyExchange } from './exchange-for-tests.ts';
import { entryOf, exchangeOf } from './har-entry.ts';
import { harSchema } from './har-schema-for-tests.ts';

const origin = 'http://127.0.0.1:8080';

describe('a HAR entry', () => {
  it('gives back the exchange that it was made of, after a way through JSON', () => {
    fc.assert(
      fc.property(anyExchange, (exchange) => {
        const entry = JSON.parse(JSON.stringify(entryOf(exchange, origin)));
        expect(exchangeOf(entry, origin)).toEqual(exchange);
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same text when written again', () => {
    fc.assert(
      fc.property(anyExchange, (exchange) => {
        const text = JSON.stringify(entryOf(exchange, origin));
        expect(JSON.stringify(entryOf(exchangeOf(JSON.parse(text), origin), origin))).toBe(text);
      }),
    );
  });

  it("is valid by HAR's schema, whatever the path", () => {
    const validate = harSchema('entry');
    fc.assert(
      fc.property(anyExchange, (exchange) => {
        const entry = JSON.parse(JSON.stringify(entryOf(exchange, origin)));
        expect(validate(entry), JSON.stringify(validate.errors)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('is refused by that schema where a member is missing', () => {
    const entry = entryOf(exampleExchange({ status: 200 }), origin);
    expect(harSchema('entry')({ ...entry, timings: undefined })).toBe(false);
  });

  it('keeps apart an answer with nothing in it and no answer', () => {
    const answered = exampleExchange({ status: 0, body: '' });
    const unanswered = exampleExchange({ failure: 'timeout' });
    expect(exchangeOf(entryOf(answered, origin), origin)).toEqual(answered);
    expect(exchangeOf(entryOf(unanswered, origin), origin)).toEqual(unanswered);
    expect(entryOf(unanswered, origin)).toMatchObject({ response: { status: 0 } });
  });

  it('shows what browsers show: query, media type and redirect', () => {
    const exchange = exampleExchange({ status: 302, headers: { location: '/there' } });
    const entry = entryOf({ ...exchange, request: { ...exchange.request, path: '/a?b=c&d' } }, origin);
    expect(entry).toMatchObject({
      request: {
        url: `${origin}/a?b=c&d`,
        queryString: [
          { name: 'b', value: 'c' },
          { name: 'd', value: '' },
        ],
      },
      response: { redirectURL: '/there', content: { mimeType: 'application/json' } },
    });
  });
});
