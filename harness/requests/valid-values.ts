import { createHmac } from 'node:crypto';
import { isSafe, type Operation } from '../../spec/operation.ts';
import type { Exchange, UsedValue } from '../model/exchange.ts';
import type { Capture, Json } from '../model/target.ts';
import {
  type CallSpec,
  jsonBody,
  type RawBody,
  type RequestContext,
  type SendingAttempt,
} from './call-spec.ts';
import { InconclusiveError, unlessInconclusive } from './inconclusive-error.ts';
import { fillPlaceholders, placeholdersIn, UNIQUE } from './placeholders.ts';

export interface PreparedCall {
  /** Below the base URL, percent-encoded. */
  readonly path: string;
  readonly values: Readonly<Record<string, UsedValue>>;
  /** Whether it rests on what another call made just before, for this one. */
  readonly isFresh: boolean;
  readonly body: RawBody | undefined;
}

/** Makes a call of an operation from which a value is to be taken; gives its status and its body as it came. */
export type TakeFrom = (
  operation: Operation,
  name: string,
  /** Whether it must be a value that nobody has used. */
  isFresh: boolean,
) => Promise<{ readonly status: number | undefined; readonly body: unknown }>;

/** Puts together valid calls for one attempt at one case: path values and bodies, with captured values taken afresh. */
export class ValidValues {
  readonly #context: Pick<RequestContext, 'known' | 'contract' | 'salt'>;
  readonly #operation: Operation;
  /** Distinguishes the unique values of this attempt. */
  readonly #name: string;
  readonly #takeFrom: TakeFrom;
  /** Captured values that reads may share; what a POST consumes must not be used twice. */
  readonly #held = new Map<string, string | number>();
  #captures = 0;
  #uniques = 0;

  constructor(
    context: Pick<RequestContext, 'known' | 'contract' | 'salt'>,
    { check, operation, attempt }: SendingAttempt,
    takeFrom: TakeFrom,
  ) {
    this.#context = context;
    this.#operation = operation;
    this.#name = `${operation.id}/${check}/${attempt}`;
    this.#takeFrom = takeFrom;
  }

  /** The known valid body of the operation, captured values taken afresh; throws `InconclusiveError` where none is known. */
  async validBody(): Promise<Json> {
    const template = this.#context.known.body(this.#operation);
    if (template === undefined) throw this.#noBody(this.#operation);
    this.#held.clear();
    return this.fill(template);
  }

  /** The known value of a path parameter; takes a captured one afresh where that is what it is. */
  async knownValue(name: string, operation: Operation = this.#operation): Promise<UsedValue> {
    const value = this.#context.known.value(operation, name);
    if (value !== undefined) return value;
    if (this.#captureFor(name) !== undefined) {
      const captured = this.#held.get(name) ?? (await this.#capture(name, !isSafe(operation), false));
      const isGiven = this.#context.known.capture(name) !== undefined;
      return { value: String(captured), source: isGiven ? 'captured' : 'discovered' };
    }
    throw new InconclusiveError(`no ${name} is known that exists on the target`, {
      remedy: `parameters: { ${operation.id}: { ${name}: <one that exists> } }`,
    });
  }

  /** Uses the captured values of a read again. */
  hold({ request }: Exchange): void {
    if (!isSafe(this.#operation)) return;
    for (const [name, { value, source }] of Object.entries(request.values))
      if (source !== 'target-file') this.#held.set(name, value);
  }

  /** Takes the captured values of later calls anew. */
  forget(): void {
    this.#held.clear();
  }

  /** Takes a captured value anew, whatever is held. */
  async capture(name: string): Promise<string | number> {
    this.#held.delete(name);
    return this.#capture(name, false);
  }

  /** A call as it goes out, captured values included; throws `InconclusiveError` where something valid is missing. */
  async prepare(operation: Operation, spec: CallSpec): Promise<PreparedCall> {
    const values: Record<string, UsedValue> = {};
    const before = this.#captures;
    if (!isSafe(operation)) this.#held.clear();
    for (const name of operation.pathParameters) {
      const given = spec.rawParameters?.[name] ?? spec.parameters?.[name];
      values[name] =
        given === undefined
          ? await this.#valueOrPlaceholder(name, operation, spec)
          : { value: given, source: 'generated' };
    }
    // A body that names the resource names the one of the path.
    // Without a body, an unknown value in the path must not be used by the valid calls that follow.
    if (operation.requestSchema !== undefined) {
      for (const [name, value] of Object.entries(spec.parameters ?? {})) {
        if (this.#captureFor(name) !== undefined) this.#held.set(name, value);
      }
    }
    const body = await this.#body(operation, spec);
    const path = (spec.route ?? operation.path).replace(
      /\{(\w+)\}/g,
      (_all, name: string) => spec.rawParameters?.[name] ?? encodeURIComponent(values[name]?.value ?? ''),
    );
    const parameters = this.#context.known.query(operation);
    const query = parameters === undefined ? '' : new URLSearchParams(parameters).toString();
    const isFresh = this.#captures > before || spec.holdsFreshValues === true;
    return { path: query === '' ? path : `${path}?${query}`, values, body, isFresh };
  }

  async #valueOrPlaceholder(name: string, operation: Operation, spec: CallSpec): Promise<UsedValue> {
    const known = (): Promise<UsedValue> => this.knownValue(name, operation);
    if (spec.placeholders !== true) return known();
    return (
      (await unlessInconclusive(known)) ?? { value: `conformance-${name.toLowerCase()}`, source: 'generated' }
    );
  }

  async #body(operation: Operation, spec: CallSpec): Promise<RawBody | undefined> {
    if (spec.body === 'none') return undefined;
    if (spec.body !== undefined) return spec.body;
    if (operation.requestSchema === undefined) return undefined;
    const template = this.#context.known.body(operation);
    if (template === undefined) {
      if (spec.placeholders === true) return jsonBody({});
      throw this.#noBody(operation);
    }
    return jsonBody(await this.fill(template, spec.placeholders === true));
  }

  #noBody(operation: Operation): InconclusiveError {
    return new InconclusiveError(`no valid body of ${operation.id} is known`, {
      remedy: `bodies: { ${operation.id}: { … a valid ${operation.requestSchema} … } }`,
    });
  }

  async fill(template: Json, placeholders = false): Promise<Json> {
    const values = new Map<string, string | number>();
    for (const name of placeholdersIn(template)) {
      if (values.has(name)) continue;
      if (name === UNIQUE) values.set(name, this.#unique());
      else if (this.#context.known.capture(name) !== undefined) {
        const take = async (): Promise<string | number> =>
          this.#held.get(name) ?? (await this.#capture(name, false));
        const value = placeholders ? await unlessInconclusive(take) : await take();
        if (value !== undefined) values.set(name, value);
      }
    }
    return fillPlaceholders(template, values);
  }

  /** A UUID that no other run, attempt or call sends, and that a reader of the evidence can compute. */
  #unique(): string {
    this.#uniques += 1;
    const hash = createHmac('sha256', this.#context.salt)
      .update(`${this.#name} ${this.#uniques}`)
      .digest('hex');
    return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  }

  #captureFor(name: string): Capture | undefined {
    const given = this.#context.known.capture(name);
    if (given !== undefined) return given;
    const issuer = this.#context.contract.issuerOf(name);
    return issuer && { from: issuer.id, pointer: '' };
  }

  async #capture(name: string, hold: boolean, isFresh = true): Promise<string | number> {
    const capture = this.#captureFor(name);
    if (capture === undefined) throw new Error(`there is no capture ${name}`);
    const source = this.#context.contract.operation(capture.from);
    this.#captures += 1;
    const held = new Map(this.#held);
    const { status, body } = await this.#takeFrom(source, name, isFresh);
    // Preparing a POST drops what is held, and this one was only made to take one more value.
    for (const [heldName, value] of held) this.#held.set(heldName, value);
    if (status === undefined || status >= 300) {
      const isUnique = placeholdersIn(this.#context.known.body(source) ?? null).includes(UNIQUE);
      const despite = status === 409 && isUnique ? ', though each of its bodies is {unique}' : '';
      throw new InconclusiveError(
        `${name} is taken from ${capture.from}, which answered ${status ?? 'nothing'}${despite}`,
        {
          transient: true,
          ...(status === 409 && !isUnique
            ? { remedy: `bodies: { ${capture.from}: { …, <a field that tells creates apart>: "{unique}" } }` }
            : {}),
        },
      );
    }
    const value = this.extract(name, body);
    if (value === undefined) {
      const { from, pointer } = capture;
      const place = pointer === '' ? '' : ` at ${pointer}, where the target file looks for it`;
      throw new InconclusiveError(`the answer of ${from} holds no ${name}${place}`, {
        remedy:
          pointer === ''
            ? `captures: { ${name}: { from: ${from}, pointer: /… } }`
            : `if no answer of ${from} has it there, correct the pointer of ${name} under captures in the target file; if only some lack it, compare the instances of the service`,
      });
    }
    if (hold || isSafe(this.#operation)) this.#held.set(name, value);
    this.#holdSiblings(name, capture.from, body);
    return value;
  }

  /** Values of one answer belong together: two of them must not come from two logins. */
  #holdSiblings(name: string, from: string, body: unknown): void {
    for (const [sibling, capture] of this.#context.known.captures()) {
      if (sibling === name || capture.from !== from) continue;
      const value = this.extract(sibling, body);
      if (value !== undefined) this.#held.set(sibling, value);
      else this.#held.delete(sibling);
    }
  }

  get names(): readonly string[] {
    return this.#context.known.captures().map(([name]) => name);
  }

  /** The text or number of a capture in an answer; undefined where there is none. */
  extract(name: string, body: unknown): string | number | undefined {
    return this.#context.known.extract(name, body);
  }
}
