import type { Exchange, RecordedRequest, WireForm } from '../model/exchange.ts';

/** The path values that a request went out with, by parameter, before percent-encoding: to send them once more. */
export function sentValues({ request }: Exchange): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(request.values).map(([name, { value }]) => [name, value]));
}

/** The factor of calls that name another listed resource. */
export const listedRow = 'listed resource';

/** The factor of calls on a resource that an unusual create made; its value says what was unusual. */
export const madeRow = 'made with';

/** The path values that were made up, by parameter. */
export function generatedValues({
  values,
}: Pick<RecordedRequest, 'values'>): ReadonlyArray<readonly [name: string, value: string]> {
  return Object.entries(values).flatMap(([name, { source, value }]) =>
    source === 'generated' ? [[name, value] as const] : [],
  );
}

/**
 * A path value as it went out, percent-encoded. Of most requests the value before encoding is recorded, and of those that
 * choose the encoding themselves the value as it went out; the path tells which.
 */
export function rawValueOf({ path, values }: RecordedRequest, name: string): string | undefined {
  const value = values[name]?.value;
  // The contents of evidence need not have been sent.
  if (value === undefined || /\p{Surrogate}/u.test(value)) return value;
  const encoded = encodeURIComponent(value);
  return path.split('?', 1)[0]?.split('/').includes(encoded) === true ? encoded : value;
}

/** The values of a factor that a call had, by their ids. */
export function valuesIn({ row }: Pick<Exchange, 'row'>, factor: string): readonly string[] {
  return [row?.[factor] ?? []].flat();
}

/** Whether a call had this form on the wire, which its recorded headers and body do not show. */
export function isSentAs(exchange: Pick<Exchange, 'row'>, form: WireForm): boolean {
  return valuesIn(exchange, 'wire').includes(form);
}
