import type { Input } from '../../harness/checks/probe-inputs.ts';
import { jsonText } from '../../harness/fuzzing/json-text.ts';
import type { Row } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import type { RawBody } from '../../harness/requests/call-spec.ts';

/** A body: a value, and how it goes out; the same writing serves smaller values. */
export interface BodyInput extends Input {
  readonly value: Json;
  readonly write: (value: Json) => RawBody | 'none';
  /** Sent with it, as in a call. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The value of all random bodies and of smaller ones in the row of a call. */
export const randomBody = 'random';

/** A random body or a smaller one: all share a label and a row, so that a finding is the same whichever was found first. */
export function otherBody(value: Json, write: BodyInput['write'] = plainBody): BodyInput {
  return { id: randomBody, label: 'another body', value, write };
}

/** What a body varies about a valid call. */
export function rowOf({ id, query }: BodyInput): Row {
  return { body: id, ...(query && { query: 'members-of-the-body' }) };
}

/** A value in its usual spelling and media type. */
export function plainBody(value: Json): RawBody {
  return { bytes: Buffer.from(jsonText(value)), contentType: 'application/json' };
}

/** Equal for bodies that go out as the same bytes under the same media type. */
export function keyOfBody({ value, write }: Pick<BodyInput, 'value' | 'write'>): string {
  const body = write(value);
  return body === 'none' ? body : `${body.contentType} ${body.bytes.toString('latin1')}`;
}
