import type { SecretRegister } from '../../evidence/secret-register.ts';

/** Members that hold words and ids of the harness, which a key that is a word must not change. */
const ours: ReadonlySet<string> = new Set([
  'operation',
  'check',
  'requirement',
  'level',
  'outcome',
  'id',
  'role',
  'kind',
  'source',
  'connection',
  'encoding',
  'json',
  'exchanges',
]);

/** A copy without registered secrets, for other threads. */
export function withoutSecrets<T>(secrets: Pick<SecretRegister, 'redact'>, value: T): T {
  const copy = (member: unknown, isOurs: boolean): unknown => {
    if (typeof member === 'string') return isOurs ? member : secrets.redact(member);
    if (Array.isArray(member)) return member.map((inner: unknown) => copy(inner, isOurs));
    if (member instanceof Set) return new Set([...member].map((inner: unknown) => copy(inner, isOurs)));
    if (typeof member !== 'object' || member === null) return member;
    return Object.fromEntries(
      Object.entries(member)
        .filter(([, inner]) => inner !== undefined)
        .map(([name, inner]) => [name, copy(inner, ours.has(name))]),
    );
  };
  return copy(value, false) as T;
}
