import { isDeepStrictEqual } from 'node:util';
import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { Input, InputFactor } from '../../harness/checks/probe-inputs.ts';
import { sentBody } from '../../harness/checks/vary-body.ts';
import { isOk, statusOf } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import { jsonAt, jsonLeaves, withTexts } from '../../harness/fuzzing/json-places.ts';
import { jsonText } from '../../harness/fuzzing/json-text.ts';
import type { Exchange, Row } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import type { RawBody } from '../../harness/requests/call-spec.ts';
import { unlessInconclusive } from '../../harness/requests/inconclusive-error.ts';

/** Minimum number of times that the values taken from earlier responses are taken anew. */
const leastRenewals = 8;
/** The same for reductions, which tell nothing of a body once the session of the call is used up. */
const renewalsToReduce = 80;
/** A shorter text is too likely to occur in a body by chance. */
const shortestToken = 8;

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
function rowOf({ id, query }: BodyInput): Row {
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

/**
 * Calls with other bodies, made from one valid body. A call may use up what it took from an earlier response, such as a
 * session that it cancelled; the next call then takes another, so that nothing but its body determines the response.
 */
interface FreshBodies {
  /** The valid body that the control sent. */
  readonly valid: Json;
  /** How bodies are sent and repeated, those of an earlier attempt by their names where these are known. */
  readonly factor: (known: readonly BodyInput[], rest: BodyRule) => InputFactor<BodyInput>;
}

type BodyRule = Omit<InputFactor<BodyInput>, 'name' | 'send' | 'repeated' | 'keyOf'> &
  Partial<Pick<InputFactor<BodyInput>, 'keyOf'>>;

/**
 * Other bodies after a control, or without one, as to accept what is to be refused is always wrong: bodies that are all
 * refused use nothing up, and need nothing that is valid but a path. Values are taken anew so many times.
 */
export async function freshBodies(
  client: CaseClient,
  control: Exchange | undefined,
  {
    renewals = Math.max(leastRenewals, Math.floor(client.fuzzRuns / 2)),
    areRefused = false,
  }: { readonly renewals?: number; readonly areRefused?: boolean } = {},
): Promise<FreshBodies> {
  const known = control && sentBody(control);
  const valid = known ? (JSON.parse(known.text) as Json) : areRefused ? {} : await client.validBody();
  const sent = control === undefined ? {} : sentValues(control);
  let parameters: Readonly<Record<string, string>> = sent;
  /** Texts of the control that are out of date, and their replacements. */
  let tokens: ReadonlyArray<readonly [old: string, now: string]> = [];
  let isStale = true;
  const left = { corpus: renewals, reduction: renewalsToReduce };

  const renew = async (use: keyof typeof left): Promise<void> => {
    if (!isStale || left[use] === 0) return;
    isStale = false;
    const takeOwn = (): Promise<Record<string, string>> => takeParameters(client, control);
    if (areRefused) {
      parameters = await client.forRefusal(takeOwn);
      return;
    }
    const before = client.exchanges.length;
    const taken = await unlessInconclusive(async () => ({
      fresh: await client.validBody(),
      own: await takeOwn(),
    }));
    // Values that cost no request may be taken anew each time; where none can be, those taken last remain in use.
    if (taken === undefined) left[use] = 0;
    else if (client.exchanges.length > before) left[use] -= 1;
    if (taken === undefined) return;
    parameters = taken.own;
    tokens = tokensBetween(valid, taken.fresh, sent, parameters);
  };
  const renewed = (value: Json): Json =>
    withTexts(value, (text) =>
      tokens.reduce((whole, [old, now]) => {
        if (whole === old) return now;
        return old.length < shortestToken ? whole : whole.replaceAll(old, now);
      }, text),
    );
  /** The text of a body with the values of an earlier attempt replaced, which their place and length identify. */
  const withTokens = (text: string): string => {
    const earlier = parseSent(text);
    return jsonLeaves(valid).reduce((whole, { path, value }) => {
      const now = tokens.find(([old]) => old === value)?.[1];
      const old = jsonAt(earlier, path);
      if (now === undefined || typeof old !== 'string' || old.length !== now.length) return whole;
      return whole.replaceAll(JSON.stringify(old), () => JSON.stringify(now));
    }, text);
  };
  const send: InputFactor<BodyInput>['send'] = async (step, input, riders) => {
    await renew(step.role === 'reduction' ? 'reduction' : 'corpus');
    const { label, query, headers, value, write } = input;
    const exchange = await client.call(step, {
      label,
      row: rowOf(input),
      body: write(renewed(value)),
      parameters,
      placeholders: true,
      ...(query && { query }),
      ...(headers && { headers }),
      ...(riders && { neutral: riders }),
    });
    const status = statusOf(exchange) ?? 500;
    isStale ||= status === 200 || (status >= 500 && !areRefused);
    return exchange;
  };
  /** The body of an earlier attempt; undefined where it was not recorded as it was sent. */
  const recorded = ({ label, row, request }: Exchange): BodyInput | undefined => {
    const body = sentBody({ request });
    if (body === undefined) return undefined;
    const contentType = request.headers.find(([name]) => name === 'content-type')?.[1];
    const write = (): RawBody => ({ bytes: Buffer.from(withTokens(body.text)), contentType });
    return { id: String(row?.['body']), label, value: valid, write };
  };
  return {
    valid,
    factor: (known, rest) => ({
      name: 'body',
      send,
      // What a service accepts at once, it accepts one by one; a refusal hides what the others of the group would show.
      settles: isOk,
      repeated: (earlier) =>
        known.find((one) => isDeepStrictEqual(rowOf(one), earlier.row)) ?? recorded(earlier),
      isPlain: (body) => keyOfBody(body) === keyOfBody(otherBody({})),
      keyOf: keyOfBody,
      ...rest,
    }),
  };
}

/**
 * Path values for other bodies: a session that is not cancelled is still there for the next body. The control has used up
 * what it took from an earlier response.
 */
async function takeParameters(
  client: CaseClient,
  valid: Exchange | undefined,
): Promise<Record<string, string>> {
  const parameters: Record<string, string> = {};
  for (const [name, { value, source }] of Object.entries(valid?.request.values ?? {}))
    parameters[name] = source === 'target-file' ? value : String(await client.capture(name));
  return parameters;
}

/** A body as it was sent, a byte order mark aside; undefined where it is not JSON. */
export function parseSent(text: string): Json | undefined {
  try {
    return JSON.parse(text.replace(/^\ufeff/, '')) as Json;
  } catch {
    return undefined;
  }
}

/** The texts that differ between two valid bodies; where a body names the resource of the path, the replacement does too. */
function tokensBetween(
  old: Json,
  fresh: Json,
  oldParameters: Readonly<Record<string, string>>,
  parameters: Readonly<Record<string, string>>,
): ReadonlyArray<readonly [string, string]> {
  return jsonLeaves(old).flatMap(({ path, value }) => {
    const now = jsonAt(fresh, path);
    if (typeof value !== 'string' || typeof now !== 'string' || now === value) return [];
    const name = Object.keys(parameters).find((one) => oldParameters[one] === value);
    return [[value, (name === undefined ? undefined : parameters[name]) ?? now] as const];
  });
}
