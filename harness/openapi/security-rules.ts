import type { Operation } from '../../spec/contract.ts';
import { type ContractRule, offersExcluded, unless } from './document-rules.ts';
import type { DescribedOperation } from './find-operation.ts';
import {
  describeSchemes,
  extensionsMention,
  namesScope,
  oauthSchemes,
  rolesOf,
  type Security,
  takesKey,
} from './read-security.ts';

/** An operation of the contract beside the security of its description. */
export interface SecurityView {
  readonly operation: Operation;
  readonly described: DescribedOperation;
  readonly security: Security;
}

type SecurityRule = ContractRule<SecurityView>;

/** The rules for the security of each operation that the document describes. */
export const securityRules: readonly SecurityRule[] = [
  {
    kind: 'credentials-required',
    statement: 'The public operation requires credentials',
    expected: 'no security requirement',
    fix: 'Write security: [] at the operation.',
    read: ({ operation, security }) => {
      const holds = operation.auth !== 'none' || security.isAnonymous;
      return unless(holds, `security by ${describeSchemes(security, false)}`, security.at);
    },
  },
  {
    kind: 'key-not-in-authorization',
    statement: 'The operation does not take an API key in the Authorization header',
    expected: 'a security scheme of type http, or of type apiKey in the header Authorization',
    fix: 'Name a security scheme of type http, or of type apiKey in the header Authorization, in the security of the operation, without an empty alternative {}.',
    read: ({ operation, security }) => {
      const actual = security.isAnonymous
        ? 'no security requirement'
        : `security by ${describeSchemes(security, true)}`;
      return unless(operation.auth === 'none' || takesKey(security), actual, security.at);
    },
  },
  {
    kind: 'scope-required',
    statement: 'The operation requires a scope',
    expected: 'no scope',
    fix: 'Remove the scope from the security of the operation, as in security: [{ ApiKey: [] }].',
    read: whereKeyed(({ operation: { scope }, security, described: { place } }) => {
      const roles = rolesOf(security);
      const isAsked = roles.length > 0 || extensionsMention(place, 'catalog:read');
      return unless(scope !== undefined || !isAsked, roles.join(', ') || 'catalog:read', security.at);
    }),
  },
  {
    kind: 'scope-not-required',
    statement: 'The operation does not require the scope {scope}',
    expected: '{scope}',
    fix: "Add the scope to the security of the operation, as in security: [{ ApiKey: ['{scope}'] }].",
    read: whereKeyed(({ operation: { scope }, security, described }) => {
      const holds = scope === undefined || namesScope(security, described, scope);
      return unless(holds, rolesOf(security).join(', ') || 'no scope', security.at);
    }),
  },
  {
    kind: 'further-scope',
    statement: 'The operation requires a scope beside {scope}',
    expected: '{scope}',
    fix: 'Remove every other scope than {scope} from the security of the operation.',
    read: whereKeyed(({ operation: { scope }, security, described }) => {
      const roles = rolesOf(security);
      const isNamed = scope !== undefined && namesScope(security, described, scope);
      return unless(!isNamed || roles.every((role) => role === scope), roles.join(', '), security.at);
    }),
  },
  {
    ...offersExcluded,
    read: ({ security, described: { place } }) =>
      oauthSchemes(security).map((scheme) => ({ subject: 'OAuth', actual: scheme, at: place.steps })),
  },
];

/** Limits a rule to operations that take a key and say so. */
function whereKeyed(read: SecurityRule['read']): SecurityRule['read'] {
  return (view) => (view.operation.auth !== 'none' && takesKey(view.security) ? read(view) : undefined);
}
