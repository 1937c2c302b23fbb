import type { Operation } from '../../spec/contract.ts';

/** Why an operation may lawfully never have answered an error; undefined where keys, values or bodies can bring one about. */
export function neverForcedToFail({ auth, pathParameters, requestSchema }: Operation): string | undefined {
  return auth === 'none' && pathParameters.length === 0 && requestSchema === undefined
    ? 'a public read without parameters need never answer an error, and none was seen'
    : undefined;
}
