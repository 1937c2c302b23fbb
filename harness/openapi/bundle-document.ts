import { fileURLToPath } from 'node:url';
import { decode, fragmentOf } from '../json-pointers.ts';
import { tried } from '../tried.ts';
import type { UsageError } from '../usage-error.ts';
import { attachedDocuments, type Changeable, isMembers, Place } from './place.ts';
import {
  assertBelongs,
  largestSource,
  notFollowed,
  parseSource,
  readSource,
  refusal,
  type SourceText,
} from './read-source.ts';

const mostDocuments = 500;
const mostValues = 1_000_000;
const deepest = 500;

/**
 * Joins the files that a document refers to into the document. Unlike the bundler of swagger-parser, it keeps each file as
 * it is, below a member named after it: schemas keep their names, and no reference leads through another one, which Ajv
 * could not follow.
 */
export async function bundleDocument(source: SourceText): Promise<unknown> {
  const root = new URL(source.url);
  root.hash = '';
  /** Names below `x-documents` by URL. */
  const names = new Map<string, string>();
  const waiting: URL[] = [];
  /** Ids of schemas that the document itself holds: references to these stay as they are. */
  const embedded = new Set<string>();
  let values = 0;
  let bytes = 0;

  const tooLarge = (why: string): UsageError =>
    refusal(root, 'the document is too large to be read', undefined, why);

  /** Copies, because aliases of YAML share values. */
  const copied = (value: unknown, depth: number): unknown => {
    values += 1;
    if (values > mostValues) throw tooLarge(`it holds more than ${mostValues} values`);
    if (depth > deepest) throw tooLarge(`it is nested more than ${deepest} levels deep`);
    if (Array.isArray(value)) return value.map((item) => copied(item, depth + 1));
    if (!isMembers(value)) return typeof value === 'bigint' ? Number(value) : value;
    if (typeof value['$id'] === 'string') embedded.add(value['$id'].split('#', 1)[0] ?? '');
    return Object.fromEntries(
      Object.entries(value)
        // Assigning it would change the prototype of an object wherever the document is read.
        .filter(([name, member]) => name !== '__proto__' && member !== undefined)
        .map(([name, member]) => [name, copied(member, depth + 1)]),
    );
  };

  const nameOf = (url: URL): string => {
    const known = names.get(url.href);
    if (known !== undefined) return known;
    if (names.size >= mostDocuments) throw tooLarge(`it refers to more than ${mostDocuments} files`);
    const file = decode(url.pathname.split('/').at(-1) ?? '');
    const taken = new Set(names.values());
    let name = file;
    // With a folder in front, the name of the file stays the name of a schema in it.
    for (let count = 2; taken.has(name); count += 1) name = `${count}/${file}`;
    names.set(url.href, name);
    waiting.push(url);
    return name;
  };

  const internal = (reference: string, base: URL): string => {
    const [place = '', ...rest] = reference.split('#');
    const fragment = rest.join('#');
    if (embedded.has(place) && place !== '') return reference;
    if (place.startsWith('https://json-schema.org/draft/')) return reference;
    const url = URL.parse(place, base.href);
    if (url === null || !namesAFile(url)) throw notFollowed(JSON.stringify(reference), root);
    url.hash = '';
    if (url.href === root.href) return `#${fragment}`;
    if (fragment !== '' && !fragment.startsWith('/')) throw notFollowed(JSON.stringify(reference), root);
    return `#${fragmentOf([attachedDocuments, nameOf(url)])}${fragment}`;
  };

  const read = (source: SourceText, base: URL): unknown => {
    const copy = copied(parseSource(source), 0);
    for (const { value } of Place.rootOf(copy).objects()) {
      const object = value as Changeable;
      if (typeof object['$ref'] === 'string') object['$ref'] = internal(object['$ref'], base);
    }
    return copy;
  };

  const whole = read(source, root);
  if (!isMembers(whole)) return whole;
  const attached: Record<string, unknown> = {};
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    await assertBelongs(next, root);
    const found = await readSource(next);
    bytes += found.text.length;
    if (bytes > largestSource) throw tooLarge('its files are too large in total');
    // Its references are relative to the URL before redirects.
    attached[names.get(next.href) ?? ''] = read(found, next);
  }
  return Object.keys(attached).length === 0 ? whole : { ...whole, [attachedDocuments]: attached };
}

/** Whether a URL can name a file: a file URL with a host or an encoded slash cannot. */
function namesAFile(url: URL): boolean {
  return url.protocol !== 'file:' || tried(fileURLToPath, url) !== undefined;
}
