import type { Operation } from '../../spec/contract.ts';
import type { Members } from '../model/supplied-document.ts';
import { type Difference, difference } from './deviation.ts';
import type { DescribedOperation } from './find-operation.ts';
import { follow, membersOf, type Place, reach, rootOf } from './follow-references.ts';
import { isMembers } from './supplied-document.ts';

/** One way to be let in: scheme names with the roles that each asks for; without any scheme, anybody is. */
type Alternative = ReadonlyArray<{ readonly scheme: string; readonly roles: readonly string[] }>;

/** How an operation's credentials and scope are described otherwise than the contract has them. */
export function compareSecurity(
  content: Members,
  operation: Operation,
  described: DescribedOperation,
): readonly Difference[] {
  const security = securityOf(content, described);
  const at = security?.steps ?? described.place.steps;
  const alternatives = alternativesIn(content, security);
  const anonymous = alternatives.length === 0 || alternatives.some((schemes) => schemes.length === 0);
  if (operation.auth === 'none') {
    return difference(anonymous, {
      kind: 'credentials-required',
      statement: 'The public operation requires credentials',
      expected: 'no security requirement',
      actual: `security by ${shown(alternatives)}`,
      fix: 'Write security: [] at the operation.',
      at,
    });
  }
  const withKey = alternatives.filter(
    (schemes) => schemes.length > 0 && schemes.every(({ scheme }) => isKeyInAuthorization(content, scheme)),
  );
  if (anonymous || withKey.length === 0) {
    return difference(false, {
      kind: 'key-not-in-authorization',
      statement: 'The operation does not take an API key in the Authorization header',
      expected: 'a security scheme of type http, or of type apiKey in the header Authorization',
      actual: anonymous ? 'no security requirement' : `security by ${shown(alternatives, content)}`,
      fix: 'Name a security scheme of type http, or of type apiKey in the header Authorization, in the security of the operation, without an empty alternative {}.',
      at,
    });
  }
  return compareScope(content, operation, described, withKey, at);
}

function compareScope(
  content: Members,
  operation: Operation,
  described: DescribedOperation,
  withKey: readonly Alternative[],
  at: readonly string[],
): readonly Difference[] {
  const roles = [...new Set(withKey.flatMap((schemes) => schemes.flatMap((one) => one.roles)))];
  const extensions = extensionsOf(described.place.value);
  const { scope } = operation;
  if (scope === undefined) {
    return difference(roles.length === 0 && !mentions(extensions, 'catalog:read'), {
      kind: 'scope-required',
      statement: 'The operation requires a scope',
      expected: 'no scope',
      actual: roles.length > 0 ? roles.join(', ') : 'catalog:read',
      fix: 'Remove the scope from the security of the operation, as in security: [{ ApiKey: [] }].',
      at,
    });
  }
  const others = roles.filter((role) => role !== scope);
  const { summary, description } = isMembers(described.place.value) ? described.place.value : {};
  const schemes = withKey.flatMap((one) => one.map(({ scheme }) => scheme));
  const named =
    roles.includes(scope) ||
    mentions(extensions, scope) ||
    mentions([summary, description], scope) ||
    schemes.some((scheme) => {
      const { value } = schemeOf(content, scheme) ?? {};
      return scheme.includes(scope) || mentions(extensionsOf(value), scope);
    });
  return [
    ...difference(named, {
      kind: 'scope-not-required',
      statement: `The operation does not require the scope ${scope}`,
      expected: scope,
      actual: roles.length > 0 ? roles.join(', ') : 'no scope',
      fix: `Add the scope to the security of the operation, as in security: [{ ApiKey: ['${scope}'] }].`,
      at,
    }),
    ...difference(!named || others.length === 0, {
      kind: 'further-scope',
      statement: `The operation requires a scope beside ${scope}`,
      expected: scope,
      actual: roles.join(', '),
      fix: `Remove every other scope than ${scope} from the security of the operation.`,
      at,
    }),
  ];
}

/** The security schemes of OAuth that a list of security requirements uses. */
export function oauthSchemes(content: Members, described: DescribedOperation): readonly string[] {
  const used = alternativesIn(content, securityOf(content, described)).flatMap((schemes) =>
    schemes.map(({ scheme }) => scheme),
  );
  return [...new Set(used)].filter((scheme) => {
    const type = schemeType(content, scheme);
    return type === 'oauth2' || type === 'openIdConnect';
  });
}

function securityOf(content: Members, described: DescribedOperation): Place | undefined {
  return reach(content, described.place, 'security') ?? reach(content, rootOf(content), 'security');
}

function alternativesIn(content: Members, security: Place | undefined): readonly Alternative[] {
  return membersOf(content, security).map(([, requirement]) =>
    membersOf(content, requirement).map(([scheme, roles]) => ({
      scheme,
      roles: Array.isArray(roles.value) ? roles.value.map(String) : [],
    })),
  );
}

function isKeyInAuthorization(content: Members, name: string): boolean {
  const value = schemeOf(content, name)?.value;
  if (!isMembers(value)) return false;
  if (value['type'] === 'http') return true;
  return (
    value['type'] === 'apiKey' &&
    value['in'] === 'header' &&
    String(value['name']).toLowerCase() === 'authorization'
  );
}

function schemeOf(content: Members, name: string): Place | undefined {
  return follow(content, reach(content, rootOf(content), 'components', 'securitySchemes', name));
}

function schemeType(content: Members, name: string): unknown {
  const value = schemeOf(content, name)?.value;
  return isMembers(value) ? value['type'] : undefined;
}

function shown(alternatives: readonly Alternative[], content?: Members): string {
  return alternatives
    .map((schemes) =>
      schemes
        .map(({ scheme }) => {
          if (content === undefined) return scheme;
          const value = schemeOf(content, scheme)?.value;
          if (!isMembers(value)) return `${scheme} (not defined)`;
          const place =
            value['type'] === 'apiKey' ? ` in ${String(value['in'])} ${String(value['name'])}` : '';
          return `${scheme} (${String(value['type'])}${place})`;
        })
        .join(' and '),
    )
    .join(' or ');
}

function extensionsOf(value: unknown): readonly unknown[] {
  if (!isMembers(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => (name.startsWith('x-') ? [member] : []));
}

function mentions(value: unknown, scope: string): boolean {
  if (typeof value === 'string') return value.includes(scope);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => name === scope || mentions(member, scope));
}
