import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const operation = exampleOperation();

/** Examples of hygiene/no-stack-trace-in-error. */
export const examples: PassiveExamples = {
  passes: [
    {
      name: 'plain sentences with the words of a trace',
      given: saying(
        'Error at line 3: at least one item (of 2) is required at position 4:12. Try again at 2026-01-01T12:30:45Z.',
      ),
    },
    { name: 'places in the body', given: saying('at /items/0/quantity: must be >= 1') },
    { name: 'a trace id', given: saying('trace 4bf92f3577b34da6a3ce929d0e0e4736') },
  ],
  violates: [
    {
      name: 'Node',
      given: saying('TypeError: x is not a function\n    at find (/srv/app/dist/catalogue.js:12:34)'),
    },
    {
      name: 'Node, line by line',
      given: body('{"stack":["at async Server.handle (node:internal/http:1:2)"]}'),
    },
    {
      name: 'Node, as a page of Express',
      given: body(
        '<pre>Error: no<br> &nbsp; &nbsp;at next (/app/node_modules/router/index.js:1:2)</pre>',
        'text/html',
      ),
    },
    {
      name: 'Java',
      given: saying(
        'java.lang.NullPointerException\n\tat com.shop.Catalog.find(Catalog.java:42)\n\t... 23 more',
      ),
    },
    {
      name: 'Python',
      given: saying('Traceback (most recent call last):\n  File "/app/main.py", line 3, in find\nKeyError'),
    },
    {
      name: '.NET',
      given: saying('System.Exception: no\r\n   at Shop.Catalog.Find(String slug) in /src/Catalog.cs:line 7'),
    },
    {
      name: 'Go',
      given: saying('panic: nil\n\ngoroutine 12 [running]:\nmain.find()\n\t/app/main.go:12 +0x1d'),
    },
    {
      name: 'PHP',
      given: saying('Uncaught Error\nStack trace:\n#0 /var/www/index.php(12): find()\n#1 {main}'),
    },
    { name: 'Ruby', given: saying("app/models/shop.rb:12:in `find'") },
  ],
  ignores: [{ name: 'a success', given: { operation, exchange: exampleExchange({ status: 200 }) } }],
};

function saying(message: string): ReturnType<typeof body> {
  return body(JSON.stringify({ code: 'error', message }));
}

function body(
  text: string,
  contentType = 'application/json',
): { readonly operation: typeof operation; readonly exchange: ReturnType<typeof exampleExchange> } {
  return { operation, exchange: exampleExchange({ status: 500, body: text, contentType }) };
}
