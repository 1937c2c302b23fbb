import type { Steps } from '../json-pointers.ts';
import type { DescribedOperation } from './find-operation.ts';
import { isMembers, type Place } from './place.ts';

/** A security scheme that a call must satisfy, with the roles that it requires. */
interface Requirement {
  readonly scheme: string;
  readonly roles: readonly string[];
  readonly definition: Place | undefined;
}

export interface Security {
  readonly at: Steps;
  /** Each alternative suffices; one without schemes admits anybody. */
  readonly alternatives: ReadonlyArray<readonly Requirement[]>;
  readonly isAnonymous: boolean;
  /** The requirements of alternatives that need only a key in the header Authorization. */
  readonly withKey: readonly Requirement[];
}

export function securityOf(root: Place, { place }: DescribedOperation): Security {
  const security = place.at('security') ?? root.at('security');
  const alternatives = (security?.items() ?? []).map((alternative) =>
    alternative.entries().map(([scheme, { value }]) => ({
      scheme,
      roles: Array.isArray(value) ? value.map(String) : [],
      definition: root.at('components', 'securitySchemes', scheme)?.end,
    })),
  );
  return {
    at: security?.steps ?? place.steps,
    alternatives,
    isAnonymous: alternatives.length === 0 || alternatives.some(({ length }) => length === 0),
    withKey: alternatives.filter((schemes) => schemes.every(isKeyInAuthorization)).flat(),
  };
}

/** Whether a call needs credentials, and a key in the header Authorization suffices. */
export function takesKey({ isAnonymous, withKey }: Security): boolean {
  return !isAnonymous && withKey.length > 0;
}

export function oauthSchemes({ alternatives }: Security): readonly string[] {
  const used = alternatives
    .flat()
    .filter(({ definition }) => ['oauth2', 'openIdConnect'].includes(String(definition?.read('type'))));
  return [...new Set(used.map(({ scheme }) => scheme))];
}

/** The schemes in words; in full, with their types. */
export function describeSchemes({ alternatives }: Security, isFull: boolean): string {
  const describe = ({ scheme, definition }: Requirement): string => {
    if (!isFull) return scheme;
    if (!isMembers(definition?.value)) return `${scheme} (not defined)`;
    const { type, in: where, name } = definition.value;
    return `${scheme} (${String(type)}${type === 'apiKey' ? ` in ${String(where)} ${String(name)}` : ''})`;
  };
  return alternatives.map((schemes) => schemes.map(describe).join(' and ')).join(' or ');
}

export function rolesOf({ withKey }: Security): readonly string[] {
  return [...new Set(withKey.flatMap(({ roles }) => roles))];
}

/** Whether an operation says in an extension that it requires a scope. */
export function extensionsMention(place: Place | undefined, scope: string): boolean {
  return (place?.members ?? []).some(([name, { value }]) => name.startsWith('x-') && mentions(value, scope));
}

/** Whether a key needs a scope: as a role, or by a word in the operation or the scheme. */
export function namesScope(security: Security, { place }: DescribedOperation, scope: string): boolean {
  return (
    rolesOf(security).includes(scope) ||
    extensionsMention(place, scope) ||
    mentions([place.read('summary'), place.read('description')], scope) ||
    security.withKey.some(
      ({ scheme, definition }) => scheme.includes(scope) || extensionsMention(definition, scope),
    )
  );
}

function isKeyInAuthorization({ definition }: Requirement): boolean {
  const { type, in: where, name } = isMembers(definition?.value) ? definition.value : {};
  if (type === 'http') return true;
  return type === 'apiKey' && where === 'header' && String(name).toLowerCase() === 'authorization';
}

function mentions(value: unknown, scope: string): boolean {
  if (typeof value === 'string') return value.includes(scope);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => name === scope || mentions(member, scope));
}
