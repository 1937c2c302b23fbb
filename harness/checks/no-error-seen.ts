import type { Operation } from '../../spec/operation.ts';

/** Why an operation may never have answered an error; undefined where keys, values or bodies can cause one. */
export function noErrorSeen({ auth, pathParameters, requestSchema }: Operation): string | undefined {
  return auth === 'none' && pathParameters.length === 0 && requestSchema === undefined
    ? 'a public read without parameters need never answer an error, and none was seen'
    : undefined;
}
