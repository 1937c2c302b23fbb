import { jsonKind } from '../evidence/json-syntax.ts';
import type { Exchange } from '../model/exchange.ts';
import { type ExampleParts, exampleExchange } from './example-exchange.ts';

/** An exchange for examples, with the body that was sent. */
export function sentExample(parts: ExampleParts, text: string): Exchange {
  const exchange = exampleExchange({ label: 'example', ...parts });
  const body = {
    text,
    encoding: 'utf-8',
    bytes: Buffer.byteLength(text),
    truncated: false,
    json: jsonKind(text),
  } as const;
  return { ...exchange, request: { ...exchange.request, body } };
}
