import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

export const examples: PassiveExamples = {
  passes: {
    'plain sentences with the words of a trace': saying(
      'Error at line 3: at least one item (of 2) is required at position 4:12. Try again at 2026-01-01T12:30:45Z.',
    ),
    'places in the body': saying('at /items/0/quantity: must be >= 1'),
    'a trace id': saying('trace 4bf92f3577b34da6a3ce929d0e0e4736'),
  },
  violates: {
    Node: saying('TypeError: x is not a function\n    at find (/srv/app/dist/catalogue.js:12:34)'),
    'Node, line by line': body('{"stack":["at async Server.handle (node:internal/http:1:2)"]}'),
    'Node, as a page of Express': body(
      '<pre>Error: no<br> &nbsp; &nbsp;at next (/app/node_modules/router/index.js:1:2)</pre>',
      'text/html',
    ),
    Java: saying(
      'java.lang.NullPointerException\n\tat com.shop.Catalog.find(Catalog.java:42)\n\t... 23 more',
    ),
    Python: saying('Traceback (most recent call last):\n  File "/app/main.py", line 3, in find\nKeyError'),
    '.NET': saying('System.Exception: no\r\n   at Shop.Catalog.Find(String slug) in /src/Catalog.cs:line 7'),
    Go: saying('panic: nil\n\ngoroutine 12 [running]:\nmain.find()\n\t/app/main.go:12 +0x1d'),
    PHP: saying('Uncaught Error\nStack trace:\n#0 /var/www/index.php(12): find()\n#1 {main}'),
    Ruby: saying("app/models/shop.rb:12:in `find'"),
  },
  ignores: { 'a success': { status: 200 } },
};

function saying(message: string): Exchange {
  return body(JSON.stringify({ code: 'error', message }));
}

function body(text: string, contentType = 'application/json'): Exchange {
  return exampleExchange({ status: 500, body: text, contentType });
}
