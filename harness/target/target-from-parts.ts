import type { Target } from '../model/target.ts';
import { UsageError } from '../usage-error.ts';
import { parseBaseUrl } from './base-url.ts';
import { authorizationObjection, headerObjection, keyObjection, keyPairObjection } from './header-rules.ts';
import { DEFAULT_AUTHORIZATION } from './target-description.ts';
import type { Objection } from './target-problem.ts';

/** What the command line says about a target. */
export interface TargetParts {
  readonly baseUrl: string;
  readonly scopedKey?: string | undefined;
  readonly unscopedKey?: string | undefined;
  readonly authorization?: string | undefined;
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]> | undefined;
  /** Where the parts come from, for messages; by default the flags. */
  readonly origins?: Readonly<
    Partial<Record<'baseUrl' | 'scopedKey' | 'unscopedKey' | 'authorization' | 'headers', string>>
  >;
}

/** Builds a target without a file; what is refused is a UsageError that names the flag. */
export function targetFromParts(parts: TargetParts): Target {
  const empty: Target = {
    baseUrl: '',
    authorization: DEFAULT_AUTHORIZATION,
    keys: {},
    parameters: {},
    operationParameters: {},
    bodies: {},
    captures: {},
    headers: [],
    exclusions: [],
    options: {},
  };
  return overrideTarget(empty, parts);
}

/** Puts what the command line says over a target read from a file; headers of the same name are replaced. */
export function overrideTarget(target: Target, parts: Partial<TargetParts>): Target {
  const { scopedKey, unscopedKey, headers = [], origins = {} } = parts;
  const authorization = parts.authorization ?? target.authorization;
  const scopedOrigin = origins.scopedKey ?? '--key';
  const unscopedOrigin = origins.unscopedKey ?? '--unscoped-key';
  if (scopedKey !== undefined) refuse(keyObjection(scopedKey), scopedOrigin);
  if (unscopedKey !== undefined) refuse(keyObjection(unscopedKey), unscopedOrigin);
  const keys = {
    ...target.keys,
    ...(scopedKey === undefined ? {} : { scoped: scopedKey }),
    ...(unscopedKey === undefined ? {} : { unscoped: unscopedKey }),
  };
  refuse(
    keyPairObjection(keys.scoped, keys.unscoped),
    unscopedKey === undefined ? scopedOrigin : unscopedOrigin,
  );
  refuse(authorizationObjection(authorization), origins.authorization ?? 'authorization');
  for (const [name, value] of headers) refuse(headerObjection(name, value), origins.headers ?? '--header');
  const replaced = new Set(headers.map(([name]) => name.toLowerCase()));
  return {
    ...target,
    baseUrl:
      parts.baseUrl === undefined
        ? target.baseUrl
        : parseBaseUrl(parts.baseUrl, origins.baseUrl ?? '--base-url'),
    authorization,
    keys,
    headers: [...target.headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...headers],
  };
}

function refuse(objection: Objection | undefined, where: string): void {
  if (objection !== undefined) throw new UsageError({ ...objection, where });
}
