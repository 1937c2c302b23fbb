import type { Members } from '../model/supplied-document.ts';
import { countName } from './count-validations.ts';
import { alternativesName, exactlyOneName, mostExact } from './exactly-one.ts';
import { follow, reach, rootOf } from './follow-references.ts';
import { stepsOfFragment } from './json-pointers.ts';
import { isMembers, isVersion30 } from './supplied-document.ts';
import { type Reading, readingOf } from './walk-document.ts';

/** Which way a body goes: members that only the other way has are not required in it. */
export type Direction = 'request' | 'response';

/** Alternatives of one schema that Ajv compiles in one function. */
const mostAlternatives = 200;

const otherWay = { request: 'readOnly', response: 'writeOnly' } as const;

/**
 * A copy of a document whose schemas Ajv reads as their author meant them. It adds no constraint; it drops what Ajv
 * would misread: `nullable` outside 3.0, keywords of other drafts, examples that look like schemas.
 */
export function prepareSchemas(content: Members, version: string, direction: Direction): Members {
  const preparation = new Preparation(content, isVersion30(version), otherWay[direction]);
  const copy = preparation.copy(content, 'keywords') as Members;
  return { ...copy, [alternativesName]: preparation.alternatives };
}

class Preparation {
  readonly #content: Members;
  readonly #is30: boolean;
  readonly #flag: 'readOnly' | 'writeOnly';
  /** The alternatives of each large `oneOf`, which the keyword `exactlyOne` refers to. */
  readonly alternatives: unknown[][] = [];
  readonly #finals = new Map<string, string>();
  /** Names that are flagged anywhere: `required` may stand in another part of an allOf than the flag. */
  readonly #flagged = new Set<string>();

  constructor(content: Members, is30: boolean, flag: 'readOnly' | 'writeOnly') {
    this.#content = content;
    this.#is30 = is30;
    this.#flag = flag;
    this.#collectFlagged(content, 'keywords');
  }

  copy(value: unknown, reading: Reading): unknown {
    if (reading === 'value') return value;
    if (Array.isArray(value)) return value.map((item) => this.copy(item, reading));
    if (!isMembers(value)) return value;
    const copied = Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => reading === 'names' || !['example', 'examples', 'default'].includes(name))
        .map(([name, member]) => [name, this.copy(member, readingOf(name, member, reading))]),
    );
    return reading === 'names' ? copied : this.#prepared(copied, value);
  }

  #prepared(copied: Record<string, unknown>, source: Members): unknown {
    const schema = { ...copied };
    // Draft 4 and a common slip; Ajv would refuse the whole schema.
    if (typeof schema['id'] === 'string') delete schema['id'];
    if (typeof schema['required'] === 'boolean') delete schema['required'];
    if (Array.isArray(schema['required'])) {
      const required = schema['required'].filter((name) => !this.#isOptional(String(name), source));
      // Draft 4 wants at least one; an empty list says nothing.
      if (required.length > 0) schema['required'] = required;
      else delete schema['required'];
    }
    if (typeof schema['$ref'] === 'string') schema['$ref'] = this.#final(schema['$ref']);
    this.#splitAlternatives(schema);
    const nullable = schema['nullable'] === true;
    delete schema['nullable'];
    return counted(this.#is30 ? in30(schema, nullable) : schema);
  }

  /**
   * Ajv nests the code for each alternative in that for the one before, which exhausts the stack. Groups keep it flat;
   * a keyword of its own verifies that no second alternative of a `oneOf` is satisfied.
   */
  #splitAlternatives(schema: Record<string, unknown>): void {
    for (const keyword of ['oneOf', 'anyOf']) {
      const listed = schema[keyword];
      if (!Array.isArray(listed) || listed.length <= mostAlternatives) continue;
      delete schema[keyword];
      const size = Math.ceil(Math.sqrt(listed.length));
      const groups = Array.from({ length: Math.ceil(listed.length / size) }, (_, at) => ({
        anyOf: listed.slice(at * size, (at + 1) * size),
      }));
      schema['allOf'] = [...(Array.isArray(schema['allOf']) ? schema['allOf'] : []), { anyOf: groups }];
      if (keyword === 'oneOf' && listed.length <= mostExact)
        schema[exactlyOneName] = this.alternatives.push(listed) - 1;
    }
  }

  /** Where a chain of references that are nothing else ends: Ajv would exhaust the stack on a long one. */
  #final(reference: string): string {
    const chain = new Set<string>();
    let last = reference;
    while (!chain.has(last)) {
      chain.add(last);
      last = this.#finals.get(last) ?? this.#nextOf(last) ?? last;
    }
    for (const one of chain) this.#finals.set(one, last);
    return last;
  }

  /** The reference that is all that another one leads to. */
  #nextOf(reference: string): string | undefined {
    const steps = reference.startsWith('#/') ? stepsOfFragment(reference.slice(1)) : undefined;
    const value = steps && reach(this.#content, rootOf(this.#content), ...steps)?.value;
    if (!isMembers(value) || Object.keys(value).length !== 1) return undefined;
    return typeof value['$ref'] === 'string' ? value['$ref'] : undefined;
  }

  #isOptional(name: string, schema: Members): boolean {
    const { properties } = schema;
    if (isMembers(properties) && Object.hasOwn(properties, name)) return this.#hasFlag(properties[name]);
    return this.#flagged.has(name);
  }

  #hasFlag(schema: unknown): boolean {
    if (!isMembers(schema)) return false;
    if (schema[this.#flag] === true) return true;
    const { allOf } = schema;
    if (Array.isArray(allOf) && allOf.some((part) => isMembers(part) && part[this.#flag] === true))
      return true;
    if (typeof schema['$ref'] !== 'string') return false;
    const last = { $ref: this.#final(schema['$ref']) };
    const target = follow(this.#content, { ...rootOf(this.#content), value: last })?.value;
    return isMembers(target) && target[this.#flag] === true;
  }

  #collectFlagged(value: unknown, reading: Reading): void {
    if (reading === 'value' || typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (reading === 'names' && this.#hasFlag(member)) this.#flagged.add(name);
      this.#collectFlagged(member, Array.isArray(value) ? reading : readingOf(name, member, reading));
    }
  }
}

/** Marks what may be validated repeatedly for one value; a reference alone adds nothing, and Ajv detects loops of them. */
function counted(schema: Record<string, unknown>): unknown {
  if (Object.keys(schema).length < 2 && Object.hasOwn(schema, '$ref')) return schema;
  const isCombined = ['$ref', 'allOf', 'anyOf', 'oneOf'].some((keyword) => Object.hasOwn(schema, keyword));
  return isCombined ? { ...schema, [countName]: true } : schema;
}

/** OpenAPI 3.0's dialect in the words of JSON Schema 2020-12. */
function in30(schema: Record<string, unknown>, nullable: boolean): Record<string, unknown> {
  // There a reference has no siblings.
  if (typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] };
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const exclusive = schema[flag];
    if (typeof exclusive !== 'boolean') continue;
    delete schema[flag];
    if (!exclusive || schema[bound] === undefined) continue;
    schema[flag] = schema[bound];
    delete schema[bound];
  }
  if (!nullable) return schema;
  if (typeof schema['type'] !== 'string') return { anyOf: [{ type: 'null' }, schema] };
  schema['type'] = [schema['type'], 'null'];
  if (Array.isArray(schema['enum'])) schema['enum'] = [...schema['enum'], null];
  return schema;
}
