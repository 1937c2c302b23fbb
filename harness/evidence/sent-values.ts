import type { Exchange } from '../model/exchange.ts';

/** The path values that a request went out with, by parameter, before percent-encoding: to send them once more. */
export function sentValues({ request }: Exchange): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(request.values).map(([name, { value }]) => [name, value]));
}
