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
  return new Bundle(source.url).join(source);
}

class Bundle {
  readonly #root: URL;
  /** Names below `x-documents` by URL. */
  readonly #names = new Map<string, string>();
  readonly #waiting: URL[] = [];
  /** Ids of schemas that the document itself holds: references to these stay as they are. */
  readonly #embedded = new Set<string>();
  #values = 0;
  #bytes = 0;

  constructor(root: URL) {
    this.#root = new URL(root);
    this.#root.hash = '';
  }

  async join(source: SourceText): Promise<unknown> {
    const root = this.#read(source, this.#root);
    if (!isMembers(root)) return root;
    const attached: Record<string, unknown> = {};
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      await assertBelongs(next, this.#root);
      const found = await readSource(next);
      this.#bytes += found.text.length;
      if (this.#bytes > largestSource) throw this.#tooLarge('its files are too large in total');
      // Its references are relative to the URL before redirects.
      attached[this.#names.get(next.href) ?? ''] = this.#read(found, next);
    }
    return Object.keys(attached).length === 0 ? root : { ...root, [attachedDocuments]: attached };
  }

  #read(source: SourceText, base: URL): unknown {
    const copy = this.#copy(parseSource(source), 0);
    for (const { value } of Place.rootOf(copy).objects()) {
      const object = value as Changeable;
      if (typeof object['$ref'] === 'string') object['$ref'] = this.#internal(object['$ref'], base);
    }
    return copy;
  }

  /** Copies, because aliases of YAML share values. */
  #copy(value: unknown, depth: number): unknown {
    this.#values += 1;
    if (this.#values > mostValues) throw this.#tooLarge(`it holds more than ${mostValues} values`);
    if (depth > deepest) throw this.#tooLarge(`it is nested more than ${deepest} levels deep`);
    if (Array.isArray(value)) return value.map((item) => this.#copy(item, depth + 1));
    if (!isMembers(value)) return typeof value === 'bigint' ? Number(value) : value;
    if (typeof value['$id'] === 'string') this.#embedded.add(value['$id'].split('#', 1)[0] ?? '');
    return Object.fromEntries(
      Object.entries(value)
        // Assigning it would change the prototype of an object wherever the document is read.
        .filter(([name, member]) => name !== '__proto__' && member !== undefined)
        .map(([name, member]) => [name, this.#copy(member, depth + 1)]),
    );
  }

  #internal(reference: string, base: URL): string {
    const [place = '', ...rest] = reference.split('#');
    const fragment = rest.join('#');
    if (this.#embedded.has(place) && place !== '') return reference;
    if (place.startsWith('https://json-schema.org/draft/')) return reference;
    const url = URL.parse(place, base.href);
    if (url === null || !namesAFile(url)) throw notFollowed(JSON.stringify(reference), this.#root);
    url.hash = '';
    if (url.href === this.#root.href) return `#${fragment}`;
    if (fragment !== '' && !fragment.startsWith('/'))
      throw notFollowed(JSON.stringify(reference), this.#root);
    return `#${fragmentOf([attachedDocuments, this.#nameOf(url)])}${fragment}`;
  }

  #nameOf(url: URL): string {
    const known = this.#names.get(url.href);
    if (known !== undefined) return known;
    if (this.#names.size >= mostDocuments)
      throw this.#tooLarge(`it refers to more than ${mostDocuments} files`);
    const file = decode(url.pathname.split('/').at(-1) ?? '');
    const taken = new Set(this.#names.values());
    let name = file;
    // With a folder in front, the name of the file stays the name of a schema in it.
    for (let count = 2; taken.has(name); count += 1) name = `${count}/${file}`;
    this.#names.set(url.href, name);
    this.#waiting.push(url);
    return name;
  }

  #tooLarge(why: string): UsageError {
    return refusal(this.#root, 'the document is too large to be read', undefined, why);
  }
}

/** Whether a URL can name a file: a file URL with a host or an encoded slash cannot. */
function namesAFile(url: URL): boolean {
  return url.protocol !== 'file:' || tried(fileURLToPath, url) !== undefined;
}
