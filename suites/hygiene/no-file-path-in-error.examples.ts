import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

export const examples: PassiveExamples = {
  passes: {
    'the route, as problem details name it': body(
      '{"type":"/errors/not-found","instance":"/gateway/api/v1/catalog/products/a.xml"}',
    ),
    URLs: saying('See https://docs.example/home/app/errors.html or http://docs.example/etc/limits.'),
    'JSON Pointers and field paths': saying(
      '/data/attributes/name and /home/address are required; items/0/product is unknown',
    ),
    'the value of the request, echoed': asked(
      '/api/v1/catalog/products/..%2F..%2Fetc%2Fpasswd',
      'no product ../../etc/passwd',
    ),
  },
  violates: {
    'a file that the value of the request led to': asked(
      '/api/v1/catalog/products/..%2F..%2Fetc%2Fpasswd',
      "open '/srv/shop/data/etc/passwd'",
    ),
    Unix: saying("open '/var/www/shop/products/x.json'"),
    'a source file': saying('in /app/dist/catalogue.js'),
    'a report of the system': saying("ENOENT: no such file or directory, open '/volume/products/linen'"),
    Windows: saying('C:\\inetpub\\wwwroot\\shop\\web.config'),
    'a file URL': saying('file:///srv/shop/index.mjs'),
  },
  ignores: { 'a success': { status: 200, body: '"/etc/passwd"' } },
};

function saying(message: string): Exchange {
  return body(JSON.stringify({ code: 'error', message }));
}

function body(text: string): Exchange {
  return exampleExchange({ status: 500, body: text });
}

function asked(path: string, message: string): Exchange {
  return exampleExchange({ status: 404, body: JSON.stringify({ message }), request: { path } });
}
