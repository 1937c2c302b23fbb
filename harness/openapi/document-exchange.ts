import type { Operation } from '../../spec/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import type { DocumentDeviation } from '../model/supplied-document.ts';
import { pointerOf } from './json-pointers.ts';

/**
 * The place of a deviation in the form of an exchange, which is how findings show what they rest on. Nothing was sent:
 * it has no answer, and its time is fixed, so that reports of the same document are alike.
 */
export function documentExchange(deviation: DocumentDeviation, operation: Operation): Exchange {
  const check = 'surface/supplied-document-matches';
  const pointer = pointerOf(deviation.at);
  return {
    id: `${operation.id}/${check}/document#${pointer} ${deviation.statement}`,
    operation: operation.id,
    case: { check, operation: operation.id },
    role: 'witness',
    label: `the supplied document at ${pointer === '' ? 'its root' : pointer}`,
    attempt: 1,
    request: {
      method: operation.method,
      path: operation.path,
      headers: [],
      credential: { kind: 'none', description: 'nothing was sent' },
      values: {},
      connection: 'shared',
    },
    startedAt: '1970-01-01T00:00:00.000Z',
    durationMs: 0,
  };
}
