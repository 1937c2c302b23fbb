import type { PassiveCheck } from '../../harness/checks/check.ts';
import { errorTexts, isEchoed } from '../../harness/checks/error-text.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { neverForcedToFail } from './never-forced-to-fail.ts';
import { findStackTrace } from './stack-traces.ts';

const operation = exampleOperation();

const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'HYGIENE-1',
  title: 'no error body holds a stack trace',
  applies: () => true,
  notApplicableReason: neverForcedToFail,
  evaluate: (exchange) => {
    const texts = errorTexts(exchange);
    if (texts === undefined) return undefined;
    const trace = texts
      .map(findStackTrace)
      .find((found) => found !== undefined && !isEchoed(found.piece, exchange));
    if (trace === undefined) return 'holds';
    return {
      statement: 'an error body holds no stack trace',
      expected: 'a message for the client',
      actual: `a stack trace of ${trace.language}`,
      exchange,
    };
  },
  examples: [
    {
      name: 'plain sentences with the words of a trace',
      given: saying(
        'Error at line 3: at least one item (of 2) is required at position 4:12. Try again at 2026-01-01T12:30:45Z.',
      ),
      says: 'pass',
    },
    { name: 'places in the body', given: saying('at /items/0/quantity: must be >= 1'), says: 'pass' },
    { name: 'a trace id', given: saying('trace 4bf92f3577b34da6a3ce929d0e0e4736'), says: 'pass' },
    {
      name: 'Node',
      given: saying('TypeError: x is not a function\n    at find (/srv/app/dist/catalogue.js:12:34)'),
      says: 'violated',
    },
    {
      name: 'Node, line by line',
      given: body('{"stack":["at async Server.handle (node:internal/http:1:2)"]}'),
      says: 'violated',
    },
    {
      name: 'Node, as a page of Express',
      given: body(
        '<pre>Error: no<br> &nbsp; &nbsp;at next (/app/node_modules/router/index.js:1:2)</pre>',
        'text/html',
      ),
      says: 'violated',
    },
    {
      name: 'Java',
      given: saying(
        'java.lang.NullPointerException\n\tat com.shop.Catalog.find(Catalog.java:42)\n\t... 23 more',
      ),
      says: 'violated',
    },
    {
      name: 'Python',
      given: saying('Traceback (most recent call last):\n  File "/app/main.py", line 3, in find\nKeyError'),
      says: 'violated',
    },
    {
      name: '.NET',
      given: saying('System.Exception: no\r\n   at Shop.Catalog.Find(String slug) in /src/Catalog.cs:line 7'),
      says: 'violated',
    },
    {
      name: 'Go',
      given: saying('panic: nil\n\ngoroutine 12 [running]:\nmain.find()\n\t/app/main.go:12 +0x1d'),
      says: 'violated',
    },
    {
      name: 'PHP',
      given: saying('Uncaught Error\nStack trace:\n#0 /var/www/index.php(12): find()\n#1 {main}'),
      says: 'violated',
    },
    { name: 'Ruby', given: saying("app/models/shop.rb:12:in `find'"), says: 'violated' },
    { name: 'a success', given: { operation, exchange: exampleExchange({ status: 200 }) }, says: 'nothing' },
  ],
};

export default check;

function saying(message: string): ReturnType<typeof body> {
  return body(JSON.stringify({ code: 'error', message }));
}

function body(
  text: string,
  contentType = 'application/json',
): { readonly operation: typeof operation; readonly exchange: ReturnType<typeof exampleExchange> } {
  return { operation, exchange: exampleExchange({ status: 500, body: text, contentType }) };
}
