import type { Operation } from '../../spec/contract.ts';
import type { UsedValue } from '../model/exchange.ts';
import type { Capture, Json, Target } from '../model/target.ts';

/** Which parameter names mean the same resource as `slug` does, by what the operation's path says. */
function synonyms(operation: Operation, name: string): readonly string[] {
  const before = operation.path.slice(0, operation.path.indexOf(`{${name}}`));
  if (before.endsWith('/products/')) return ['productSlug'];
  if (before.endsWith('/merchants/')) return ['merchantSlug', 'store'];
  if (before.endsWith('/store-access/')) return ['merchantSlug'];
  return [];
}

/** Path values, bodies and captures: given by the user, else found and shown to work. */
export class KnownValues {
  readonly #target: Target;
  readonly #settled = new Map<string, UsedValue>();
  readonly #bodies = new Map<string, Json>();
  readonly #captures = new Map<string, Capture>();

  constructor(target: Target) {
    this.#target = target;
  }

  /**
   * What the user gave that may stand here, best first: for this operation, then by the name of the resource, then by
   * the parameter's name alone. A user who says `slug` once for products and merchants cannot mean both.
   */
  candidates(operation: Operation, name: string): readonly string[] {
    const { parameters, operationParameters } = this.#target;
    const own = operationParameters[operation.id]?.[name];
    if (own !== undefined) return [own];
    const given = [...synonyms(operation, name).map((synonym) => parameters[synonym]), parameters[name]];
    return [...new Set(given.filter((value) => value !== undefined))];
  }

  /** Fixes the value that later calls use. */
  settle(operation: Operation, name: string, used: UsedValue): void {
    this.#settled.set(`${operation.id} ${name}`, used);
  }

  /** The value to use; undefined where none is known. */
  value(operation: Operation, name: string): UsedValue | undefined {
    const settled = this.#settled.get(`${operation.id} ${name}`);
    if (settled !== undefined) return settled;
    const [first] = this.candidates(operation, name);
    return first === undefined ? undefined : { value: first, source: 'target-file' };
  }

  /** Fixes the body that later calls of an operation send, where the user gave none. */
  resolveBody(operation: Operation, body: Json): void {
    this.#bodies.set(operation.id, body);
  }

  /** The valid body to send, captured values as placeholders; undefined where none is known. */
  body(operation: Operation): Json | undefined {
    return this.#target.bodies[operation.id] ?? this.#bodies.get(operation.id);
  }

  /** Fixes where a captured value is taken from, where the user says nothing. */
  resolveCapture(name: string, capture: Capture): void {
    this.#captures.set(name, capture);
  }

  /** Where a captured value is taken from; undefined where nobody says. */
  capture(name: string): Capture | undefined {
    return this.#target.captures[name] ?? this.#captures.get(name);
  }

  /** Every capture by the name of its value. */
  captures(): ReadonlyArray<readonly [name: string, capture: Capture]> {
    return [...Object.entries(this.#target.captures), ...this.#captures];
  }
}
