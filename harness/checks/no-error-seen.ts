import { isBelowStore, type Operation } from '../../spec/operation.ts';

/** Why an operation may never have answered an error; undefined where keys, values or bodies can cause one. */
export function noErrorSeen(operation: Operation): string | undefined {
  const { auth, pathParameters, requestSchema } = operation;
  if (isBelowStore(operation))
    return 'operations below a store need never answer an error, and none was observed';
  return auth === 'none' && pathParameters.length === 0 && requestSchema === undefined
    ? 'a public read without parameters need never answer an error, and none was observed'
    : undefined;
}
