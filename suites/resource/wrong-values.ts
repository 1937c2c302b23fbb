import type { CallChanges } from '../../harness/requests/call-spec.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { shareOf } from '../../harness/requests/key-ring.ts';
import { unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import type { ProfileRange } from '../../harness/sampling/profile.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { nearMisses } from './near-misses.ts';
import { isExcludedValue } from './path-values.ts';

/** A value of a path parameter that names nothing. */
export interface WrongValue extends ProfileRange {
  readonly step: 'unknown' | 'nearMiss';
  /** Its value in the row of a call. */
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly changes?: CallChanges;
  /** Not sent to an operation that has not found another wrong value before. */
  readonly standsIn?: true;
}

/** Error bodies have to be readable for a client that accepts codings, prefers pages or reads another language, too. */
const asBrowser: CallChanges = {
  row: { accept: 'browser', 'accept-encoding': 'browser', 'accept-language': 'browser' },
  headers: {
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-encoding': 'gzip, deflate, br',
    'accept-language': 'fr-FR,fr;q=0.9',
  },
};

/** The wrong values of a parameter, in the order of sending. */
export async function wrongValues(
  client: CaseClient,
  operation: Operation,
  name: string,
  sent: string,
): Promise<readonly WrongValue[]> {
  const random = client.random(name);
  const first = unknownLike(sent, random);
  // The control of an operation that ends what it names has used up its value.
  const known = isSafe(operation) ? sent : String(await client.forRefusal(() => client.capture(name)));
  const misses = nearMisses(known, random)
    .filter(
      ({ value }) => !isExcludedValue(client, name, encodeURIComponent(value), encodeURIComponent(known)),
    )
    .map(({ what, value }) => ({ step: 'nearMiss', id: what, label: `${what}: ${name}`, value }) as const);
  // Where any good key will do, that of one without the scope.
  const { unscoped } = client.keys;
  const isForAll = operation.auth === 'api-key' && operation.scope === undefined;
  const asOther = isForAll && unscoped ? { credential: unscoped, row: { credential: 'unscoped' } } : {};
  const unknown = { step: 'unknown', id: 'unknown', value: first } as const;
  return [
    // A near miss that is not found is an unknown value as well. Each operation takes another one.
    ...shareOf(misses, client.operations.indexOf(operation), 1).map(
      (miss) => ({ ...miss, changes: asBrowser, until: 'quick' }) as const,
    ),
    { ...unknown, label: `unknown ${name}`, standsIn: true },
    // What one look-up left behind may answer the next.
    { ...unknown, label: `once more the unknown ${name}`, changes: asOther, from: 'standard' },
    ...misses.map(
      (miss, at) => ({ ...miss, ...(at === 0 ? { changes: asBrowser } : {}), from: 'standard' }) as const,
    ),
  ];
}
