import type { Operation } from '../../spec/contract.ts';
import type { Exchange } from '../recording/exchange.ts';
import type { DocumentDeviation } from './deviation.ts';
import { pointerOf } from './json-pointers.ts';
import type { SuppliedDocument } from './supplied-document.ts';

const longestExcerpt = 4000;

/**
 * The place of a deviation in the form of an exchange, for findings show what they rest on as one. Nothing was sent: it
 * has the part of the document as its answer, and no status.
 */
export function documentExchange(
  document: SuppliedDocument,
  deviation: DocumentDeviation,
  operation: Operation,
  check: string,
): Exchange {
  const pointer = pointerOf(deviation.at);
  const excerpt = JSON.stringify(excerptOf(document.content, deviation.at)) ?? '';
  return {
    id: `${operation.id}/${check}/document${pointer}`,
    operation: operation.id,
    case: { check, operation: operation.id },
    role: 'witness',
    label: `${document.source}#${pointer}`,
    attempt: 1,
    request: {
      method: operation.method,
      path: operation.path,
      headers: [],
      credential: { kind: 'none', description: 'nothing was sent' },
      values: {},
      body: {
        text: excerpt.slice(0, longestExcerpt),
        encoding: 'utf-8',
        bytes: Buffer.byteLength(excerpt),
        truncated: excerpt.length > longestExcerpt,
        json: excerpt === '' ? 'empty' : 'object',
      },
      connection: 'shared',
    },
    // Nothing happened at any time; a fixed one keeps reports of the same document alike.
    startedAt: '1970-01-01T00:00:00.000Z',
    durationMs: 0,
  };
}

function excerptOf(content: unknown, steps: readonly string[]): unknown {
  return steps.reduce(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Readonly<Record<string, unknown>>)[step]
        : undefined,
    content,
  );
}
