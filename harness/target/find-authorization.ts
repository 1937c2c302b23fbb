import type { Operation } from '../../spec/operation.ts';
import { headerOf, statusOf } from '../evidence/answer.ts';
import { compileDocument } from '../openapi/compile-document.ts';
import { membersOf, reach, rootOf } from '../openapi/follow-references.ts';
import type { Credential } from '../requests/key-ring.ts';
import type { RunContext } from '../requests/run-context.ts';
import { askOnce, readsForKeys } from './preflight.ts';

/** Ways in which services have keys written, the more usual first. */
const usual = ['{key}', 'Bearer {key}', 'ApiKey {key}', 'Api-Key {key}', 'Token {key}', 'Key {key}'];

/**
 * How keys are written in the Authorization header of a target that refuses them as the user says: the first way in which
 * a good key is answered 200, those first that the target names in WWW-Authenticate or the document as its scheme.
 * Undefined where there is no key, or none that is taken in any of these ways. The keys go to the target alone.
 */
export async function findAuthorization(context: RunContext): Promise<string | undefined> {
  const key = context.target.keys.scoped ?? context.target.keys.unscoped;
  const known = context.keys.scoped ?? context.keys.unscoped;
  if (key === undefined || known === undefined) return undefined;
  const named: string[] = [...schemesOfDocument(context)];
  let refusing: Operation | undefined;
  for (const operation of readsForKeys(context)) {
    const refused = await askOnce(context, operation, 'how are keys written?', known);
    if (refused === undefined || statusOf(refused) !== 401) continue;
    refusing ??= operation;
    const scheme = /^\s*([\w.-]{1,40})\b/.exec(headerOf(refused, 'www-authenticate') ?? '')?.[1];
    if (scheme !== undefined) named.push(`${scheme} {key}`);
  }
  if (refusing === undefined) return undefined;
  for (const form of new Set([...named, ...usual])) {
    if (form === context.target.authorization) continue;
    const credential: Credential = { ...known, header: form.replace('{key}', () => key) };
    const exchange = await askOnce(context, refusing, `tries the key as ${form}`, credential);
    if (exchange !== undefined && statusOf(exchange) === 200) return form;
  }
  return undefined;
}

function schemesOfDocument({ document }: RunContext): readonly string[] {
  if (document === undefined) return [];
  const { content } = compileDocument(document);
  const schemes = reach(content, rootOf(content), 'components', 'securitySchemes');
  return membersOf(content, schemes)
    .filter(([, scheme]) => reach(content, scheme, 'type')?.value === 'http')
    .map(([, scheme]) => String(reach(content, scheme, 'scheme')?.value))
    .filter((scheme) => /^[\w.-]{1,40}$/.test(scheme))
    .map((scheme) => `${scheme.charAt(0).toUpperCase()}${scheme.slice(1)} {key}`);
}
