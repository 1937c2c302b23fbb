import { isOk, parseBody } from '../../harness/evidence/answer.ts';
import { changedLeaves, type Leaves, leavesOf } from '../../harness/evidence/json-leaves.ts';
import type { CredentialKind, Exchange } from '../../harness/model/exchange.ts';
import type { Credential } from '../../harness/requests/key-ring.ts';

/** The scope that the contract names, which tells the two keys apart. */
export const scope = 'catalog:read';

/** An identity, and the key that it was shown to. */
export interface Identity {
  readonly exchange: Exchange;
  readonly key: CredentialKind;
  readonly leaves: Leaves;
}

/** The identities in responses of 200 with JSON. */
export function identitiesIn(exchanges: readonly Exchange[]): readonly Identity[] {
  return exchanges.flatMap((exchange) => {
    const body = isOk(exchange) ? parseBody(exchange.response?.body) : undefined;
    return body === undefined
      ? []
      : [{ exchange, key: exchange.request.credential.kind, leaves: leavesOf(body) }];
  });
}

/** Pointers at which two identities differ, including those that only one has; two times count as equal. */
function differences({ leaves: one }: Identity, { leaves: other }: Identity): readonly string[] {
  const lacking = (from: Leaves, to: Leaves): readonly string[] =>
    [...from.keys()].filter((pointer) => !to.has(pointer));
  return [...changedLeaves(one, other), ...lacking(one, other), ...lacking(other, one)];
}

/** The identities of the key with the scope that list the scope. */
export function holdersIn(identities: readonly Identity[]): readonly Identity[] {
  return identities.filter(({ key, leaves }) => key === 'scoped' && holdsScope(leaves));
}

/** Identities shown to the key without the scope that hold the scope, and are, but for what is volatile, those of the holder. */
export function ofHolder(identities: readonly Identity[]): readonly Identity[] {
  const holders = holdersIn(identities);
  const [first, last = first] = [holders[0], holders.at(-1)];
  const volatile = first && last ? differences(first, last) : [];
  const isSame = (one: Identity, other: Identity): boolean =>
    differences(one, other).every((pointer) => volatile.includes(pointer));
  return identities.filter(
    (one) =>
      one.key === 'unscoped' && holdsScope(one.leaves) && holders.some((holder) => isSame(holder, one)),
  );
}

const ownScopes =
  /^(?:(?:api|auth|key|token|oauth|granted|current|effective|own)[_-]?)*(?:scopes?|scp|permissions?|abilities|authorities|privileges|grants?|rights)$/i;
const ownParents =
  /^(?:data|result|response|payload|attributes|item|self|me|caller|principal|identity|credential|(?:api)?[_-]?key|(?:access)?[_-]?token|auth(?:entication|orization)?|\d+)$/i;

/** Whether an identity lists the scope as one of the key, and not, say, as one that the installation may grant. */
export function holdsScope(identity: Leaves): boolean {
  return [...identity].some(([pointer, leaf]) => {
    const listed = String(leaf).split(/[\s,]+/);
    const names = pointer.split('/').slice(1);
    const at = names.findLastIndex((name) => !/^\d+$/.test(name));
    const isOwn =
      ownScopes.test(names[at] ?? '') && names.slice(0, at).every((name) => ownParents.test(name));
    return listed.includes(scope) && isOwn;
  });
}

const keyFields = /key|token|secret|credential|hint|last|suffix|prefix|ending|mask|preview/i;

/** Whether an identity shows the beginning or end of one key, and the other key has a different one. */
export function hintsAt(identity: Leaves, key: Credential, other: Credential): boolean {
  const isPart = (token: string, { secret = '' }: Credential): boolean =>
    (token.length >= 4 && secret.endsWith(token)) || (token.length >= 8 && secret.startsWith(token));
  return [...identity].some(
    ([pointer, leaf]) =>
      keyFields.test(pointer.slice(pointer.lastIndexOf('/'))) &&
      // Dots or asterisks hide a part of a masked key.
      String(leaf)
        .split(/[^A-Za-z0-9_-]+/)
        .some((token) => isPart(token, key) && !isPart(token, other)),
  );
}

/** The calls with good keys. */
export function identityCalls(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(({ step }) => step !== 'named' && step !== 'installation');
}
