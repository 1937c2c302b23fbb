import type { Contract, Operation } from '../../spec/contract.ts';
import type { UsedValue } from '../model/exchange.ts';
import type { Capture, Json, Target } from '../model/target.ts';
import { likelyIssuedValue, valueAt } from './session-id.ts';

/** Path values, bodies and captures: given by the user, else found and shown to work. */
export class KnownValues {
  readonly #target: Target;
  readonly #contract: Contract;
  readonly #resolved = new Map<string, UsedValue>();
  /** Query parameters that were found for operations, by their ids; the user's own count first, as for all that was found. */
  readonly foundQueries: Map<string, Readonly<Record<string, string>>> = new Map();
  /** In which words the target refuses operations without query parameters, by their ids. */
  readonly queryRefusals: Map<string, string> = new Map();
  /** Operations that refuse the body that the user gave, by their ids. */
  readonly refusedBodies: Set<string> = new Set();
  /** Bodies that were found for operations, by their ids. */
  readonly foundBodies: Map<string, Json> = new Map();
  /** Where captured values are taken from, as was found, by their names. */
  readonly foundCaptures: Map<string, Capture> = new Map();

  constructor(target: Target, contract: Contract) {
    this.#target = target;
    this.#contract = contract;
  }

  /**
   * What the user gave that may stand here, best first: for this operation, then by the name of the resource, then by
   * the parameter's name alone. A user who says `slug` once for products and merchants cannot mean both.
   */
  candidates(operation: Operation, name: string): readonly string[] {
    const { parameters, operationParameters } = this.#target;
    const own = operationParameters[operation.id]?.[name];
    if (own !== undefined) return [own];
    const kind = operation.parameterKinds?.[name];
    const named = kind === undefined ? [] : this.#contract.parametersNaming(kind);
    const names = named.includes(name) ? [name, ...named] : [...named, name];
    return [...new Set(names.flatMap((one) => parameters[one] ?? []))];
  }

  /** Fixes the value that later calls use. */
  settle(operation: Operation, name: string, used: UsedValue): void {
    this.#resolved.set(`${operation.id} ${name}`, used);
  }

  value(operation: Operation, name: string): UsedValue | undefined {
    const resolved = this.#resolved.get(`${operation.id} ${name}`);
    if (resolved !== undefined) return resolved;
    const [first] = this.candidates(operation, name);
    return first === undefined ? undefined : { value: first, source: 'target-file' };
  }

  /** The query parameters to send with an operation; undefined where none are known. */
  query({ id }: Operation): Readonly<Record<string, string>> | undefined {
    return this.#target.query?.[id] ?? this.foundQueries.get(id);
  }

  /** The valid body to send, captured values as placeholders; undefined where none is known. */
  body(operation: Operation): Json | undefined {
    return this.#target.bodies[operation.id] ?? this.foundBodies.get(operation.id);
  }

  /** Where a captured value is taken from; undefined where nobody says. */
  capture(name: string): Capture | undefined {
    return this.#target.captures[name] ?? this.foundCaptures.get(name);
  }

  /** The text or number of a capture in an answer; undefined where there is none. */
  extract(name: string, body: unknown): string | number | undefined {
    const given = this.capture(name);
    const value = given === undefined ? likelyIssuedValue(name, body) : valueAt(body, given.pointer);
    return typeof value === 'string' || typeof value === 'number' ? value : undefined;
  }

  captures(): ReadonlyArray<readonly [name: string, capture: Capture]> {
    return [...Object.entries(this.#target.captures), ...this.foundCaptures];
  }
}
