import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const operation = exampleOperation();

/** Examples of hygiene/no-file-path-in-error. */
export const examples: PassiveExamples = {
  passes: [
    {
      name: 'the route, as problem details name it',
      given: body('{"type":"/errors/not-found","instance":"/gateway/api/v1/catalog/products/a.xml"}'),
    },
    {
      name: 'URLs',
      given: saying('See https://docs.example/home/app/errors.html or http://docs.example/etc/limits.'),
    },
    {
      name: 'JSON Pointers and field paths',
      given: saying('/data/attributes/name and /home/address are required; items/0/product is unknown'),
    },
    {
      name: 'the value of the request, echoed',
      given: {
        operation,
        exchange: asked('/api/v1/catalog/products/..%2F..%2Fetc%2Fpasswd', 'no product ../../etc/passwd'),
      },
    },
  ],
  violates: [
    {
      name: 'a file that the value of the request led to',
      given: {
        operation,
        exchange: asked(
          '/api/v1/catalog/products/..%2F..%2Fetc%2Fpasswd',
          "open '/srv/shop/data/etc/passwd'",
        ),
      },
    },
    { name: 'Unix', given: saying("open '/var/www/shop/products/x.json'") },
    { name: 'a source file', given: saying('in /app/dist/catalogue.js') },
    {
      name: 'a report of the system',
      given: saying("ENOENT: no such file or directory, open '/volume/products/linen'"),
    },
    { name: 'Windows', given: saying('C:\\inetpub\\wwwroot\\shop\\web.config') },
    { name: 'a file URL', given: saying('file:///srv/shop/index.mjs') },
  ],
  ignores: [
    {
      name: 'a success',
      given: { operation, exchange: exampleExchange({ status: 200, body: '"/etc/passwd"' }) },
    },
  ],
};

function saying(message: string): ReturnType<typeof body> {
  return body(JSON.stringify({ code: 'error', message }));
}

function body(text: string): {
  readonly operation: typeof operation;
  readonly exchange: ReturnType<typeof exampleExchange>;
} {
  return { operation, exchange: exampleExchange({ status: 500, body: text }) };
}

function asked(path: string, message: string): ReturnType<typeof exampleExchange> {
  const exchange = exampleExchange({ status: 404, body: JSON.stringify({ message }) });
  return { ...exchange, request: { ...exchange.request, path } };
}
