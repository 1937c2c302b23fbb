import type { Credential } from '../requests/key-ring.ts';
import type { Workbench } from '../requests/run-context.ts';
import { compileDocument } from '../openapi/compile-document.ts';
import { membersOf, reach, rootOf } from '../openapi/follow-references.ts';
import { headerOf, statusOf } from '../evidence/answer.ts';
import { askOnce, keyOperations, operationOf } from './preflight.ts';

/** Ways in which services have keys written, the more usual first. */
const usual = ['{key}', 'Bearer {key}', 'ApiKey {key}', 'Api-Key {key}', 'Token {key}', 'Key {key}'];

/**
 * How keys are written in the Authorization header of a target that refuses them as the user says: the first way in which
 * a good key is answered 200, those first that the target names in WWW-Authenticate or the document as its scheme.
 * Undefined where there is no key, or none that is taken in any of these ways. The keys go to the target alone.
 */
export async function findAuthorization(bench: Workbench): Promise<string | undefined> {
  const key = bench.target.keys.scoped ?? bench.target.keys.unscoped;
  const known = bench.keys.scoped ?? bench.keys.unscoped;
  if (key === undefined || known === undefined) return undefined;
  const named: string[] = [...schemesOfDocument(bench)];
  const doors: string[] = [];
  for (const id of keyOperations) {
    const refused = await askOnce(bench, operationOf(bench, id), 'how are keys written?', known);
    if (refused === undefined || statusOf(refused) !== 401) continue;
    doors.push(id);
    const scheme = /^\s*([\w.-]{1,40})\b/.exec(headerOf(refused, 'www-authenticate') ?? '')?.[1];
    if (scheme !== undefined) named.push(`${scheme} {key}`);
  }
  const [door] = doors;
  if (door === undefined) return undefined;
  for (const form of new Set([...named, ...usual])) {
    if (form === bench.target.authorization) continue;
    const credential: Credential = { ...known, header: form.replace('{key}', () => key) };
    const exchange = await askOnce(bench, operationOf(bench, door), `tries the key as ${form}`, credential);
    if (exchange !== undefined && statusOf(exchange) === 200) return form;
  }
  return undefined;
}

function schemesOfDocument({ document }: Workbench): readonly string[] {
  if (document === undefined) return [];
  const { content } = compileDocument(document);
  const schemes = reach(content, rootOf(content), 'components', 'securitySchemes');
  return membersOf(content, schemes)
    .filter(([, scheme]) => reach(content, scheme, 'type')?.value === 'http')
    .map(([, scheme]) => String(reach(content, scheme, 'scheme')?.value))
    .filter((scheme) => /^[\w.-]{1,40}$/.test(scheme))
    .map((scheme) => `${scheme.charAt(0).toUpperCase()}${scheme.slice(1)} {key}`);
}
