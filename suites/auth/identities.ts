import { parseBody, statusOf } from '../../harness/evidence/answer.ts';
import { changedLeaves, type Leaf, type Leaves, leavesOf } from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Credential } from '../../harness/requests/key-ring.ts';

/** The scope that the contract names, which tells the two keys apart. */
export const scope = 'catalog:read';

/** The scalars of an identity; undefined where a call was not answered with 200 and JSON. */
export function identityIn(exchange: Exchange | undefined): Leaves | undefined {
  if (exchange === undefined || statusOf(exchange) !== 200) return undefined;
  const body = parseBody(exchange.response?.body);
  return body === undefined ? undefined : leavesOf(body);
}

/** Pointers at which two identities differ, those that only one has included; two moments count as the same. */
export function differences(one: Leaves, other: Leaves): readonly string[] {
  const lacking = (from: Leaves, to: Leaves): readonly string[] =>
    [...from.keys()].filter((pointer) => !to.has(pointer));
  return [...changedLeaves(one, other), ...lacking(one, other), ...lacking(other, one)];
}

const ownScopes =
  /^(?:(?:api|auth|key|token|oauth|granted|current|effective|own)[_-]?)*(?:scopes?|scp|permissions?|abilities|authorities|privileges|grants?|rights)$/i;
const ownParents =
  /^(?:data|result|response|payload|attributes|item|self|me|caller|principal|identity|credential|(?:api)?[_-]?key|(?:access)?[_-]?token|auth(?:entication|orization)?|\d+)$/i;

/** Whether an identity lists the scope as one of the key, and not, say, as one that the installation may grant. */
export function holdsScope(identity: Leaves): boolean {
  return [...identity].some(([pointer, leaf]) => {
    if (
      !String(leaf)
        .split(/[\s,]+/)
        .includes(scope)
    )
      return false;
    const names = pointer.split('/').slice(1);
    const at = names.findLastIndex((name) => !/^\d+$/.test(name));
    return ownScopes.test(names[at] ?? '') && names.slice(0, at).every((name) => ownParents.test(name));
  });
}

const keyFields = /key|token|secret|credential|hint|last|suffix|prefix|ending|mask|preview/i;

/** Whether an identity shows the beginning or the end of one key, which the other key does not share. */
export function hintsAt(identity: Leaves, key: Credential, other: Credential): boolean {
  const isPart = (token: string, { secret = '' }: Credential): boolean =>
    (token.length >= 4 && secret.endsWith(token)) || (token.length >= 8 && secret.startsWith(token));
  return [...identity].some(
    ([pointer, leaf]) =>
      keyFields.test(pointer.slice(pointer.lastIndexOf('/'))) &&
      tokensOf(leaf).some((token) => isPart(token, key) && !isPart(token, other)),
  );
}

/** The parts of a masked key that can be read, such as the last four characters after dots or asterisks. */
function tokensOf(leaf: Leaf): readonly string[] {
  return String(leaf).split(/[^A-Za-z0-9_-]+/);
}
