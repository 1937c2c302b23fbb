import { createHash } from 'node:crypto';
import type { Target } from '../model/target.ts';

/** The target description without its keys and the values of its headers: what a certificate binds. */
export interface TargetSummary
  extends Pick<
    Target,
    | 'baseUrl'
    | 'authorization'
    | 'parameters'
    | 'operationParameters'
    | 'query'
    | 'bodies'
    | 'captures'
    | 'exclusions'
    | 'values'
  > {
  /** Whether a key is known. */
  readonly keys: { readonly scoped: boolean; readonly unscoped: boolean };
  /** Names only. */
  readonly headers: readonly string[];
}

/** The description of a target as it may be published, every text redacted. */
export function summariseTarget(target: Target, redact: (text: string) => string): TargetSummary {
  const { baseUrl, authorization, parameters, operationParameters, bodies, captures, exclusions } = target;
  const { query = {}, values } = target;
  const described = {
    parameters,
    operationParameters,
    query,
    bodies,
    captures,
    exclusions,
    ...(values && { values }),
  };
  return {
    baseUrl,
    authorization,
    keys: { scoped: target.keys.scoped !== undefined, unscoped: target.keys.unscoped !== undefined },
    headers: target.headers.map(([name]) => name),
    ...(redactAll(described, redact) as typeof described),
  };
}

function redactAll(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((member) => redactAll(member, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redact(name), redactAll(member, redact)]),
  );
}

/** SHA-256 of a JSON value as it is written, in hexadecimal digits. */
export function digestOf(value: unknown): string {
  return sha256(JSON.stringify(value));
}

/** SHA-256 in hexadecimal digits. */
export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
