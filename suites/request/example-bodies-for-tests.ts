import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Operation } from '../../spec/operation.ts';

/** An operation that takes a body, for examples. */
export const create: Operation = exampleOperation({
  id: 'createHostedCheckoutSession',
  method: 'POST',
  path: '/api/v1/open/hosted/checkout/sessions',
  requestSchema: 'HostedCheckoutCreateRequest',
});

/** The valid call after an unexpected answer. */
export function again(company: string, status: number): Exchange {
  return exampleExchange({ step: 'recovery', row: { company }, status });
}
