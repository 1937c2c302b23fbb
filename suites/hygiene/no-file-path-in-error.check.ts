import type { PassiveCheck } from '../../harness/checks/check.ts';
import { errorTexts, isEchoed } from '../../harness/checks/error-text.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { neverForcedToFail } from './never-forced-to-fail.ts';
import { serverPathsIn } from './server-paths.ts';

const operation = exampleOperation();

const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'HYGIENE-3',
  title: 'no error body holds a path of the server’s file system',
  applies: () => true,
  notApplicableReason: neverForcedToFail,
  evaluate: (exchange) => {
    const texts = errorTexts(exchange);
    if (texts === undefined) return undefined;
    const path = texts.flatMap(serverPathsIn).find((piece) => !isEchoed(piece, exchange));
    if (path === undefined) return 'holds';
    return {
      statement: 'an error body holds no path of a file system',
      expected: 'a message for the client',
      actual: path.includes('\\') ? 'a Windows path' : 'a Unix path',
      exchange,
    };
  },
  examples: [
    {
      name: 'the route, as problem details name it',
      given: body('{"type":"/errors/not-found","instance":"/gateway/api/v1/catalog/products/a.xml"}'),
      says: 'pass',
    },
    {
      name: 'URLs',
      given: saying('See https://docs.example/home/app/errors.html or http://docs.example/etc/limits.'),
      says: 'pass',
    },
    {
      name: 'JSON Pointers and field paths',
      given: saying('/data/attributes/name and /home/address are required; items/0/product is unknown'),
      says: 'pass',
    },
    {
      name: 'the value of the request, echoed',
      given: {
        operation,
        exchange: asked('/api/v1/catalog/products/..%2F..%2Fetc%2Fpasswd', 'no product ../../etc/passwd'),
      },
      says: 'pass',
    },
    {
      name: 'a file that the value of the request led to',
      given: {
        operation,
        exchange: asked(
          '/api/v1/catalog/products/..%2F..%2Fetc%2Fpasswd',
          "open '/srv/shop/data/etc/passwd'",
        ),
      },
      says: 'violated',
    },
    { name: 'Unix', given: saying("open '/var/www/shop/products/x.json'"), says: 'violated' },
    { name: 'a source file', given: saying('in /app/dist/catalogue.js'), says: 'violated' },
    {
      name: 'a report of the system',
      given: saying("ENOENT: no such file or directory, open '/volume/products/linen'"),
      says: 'violated',
    },
    { name: 'Windows', given: saying('C:\\inetpub\\wwwroot\\shop\\web.config'), says: 'violated' },
    { name: 'a file URL', given: saying('file:///srv/shop/index.mjs'), says: 'violated' },
    {
      name: 'a success',
      given: { operation, exchange: exampleExchange({ status: 200, body: '"/etc/passwd"' }) },
      says: 'nothing',
    },
  ],
};

export default check;

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
