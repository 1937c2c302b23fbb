import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { Step } from '../../harness/checks/step.ts';
import { sentBody } from '../../harness/checks/vary-body.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import { jsonAt, jsonLeaves, withTexts } from '../../harness/fuzzing/json-places.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import type { RawBody } from '../../harness/requests/call-spec.ts';
import { unlessInconclusive } from '../../harness/requests/inconclusive-error.ts';
import { ridersOf } from '../../harness/requests/riders.ts';
import { type BodyInput, rowOf } from './body-input.ts';

/** Minimum number of times that the values taken from earlier responses are taken anew. */
const leastRenewals = 8;
/** The same for reductions, which tell nothing of a body once the session of the call is used up. */
const renewalsToReduce = 80;
/** A shorter text is too likely to occur in a body by chance. */
const shortestToken = 8;

/**
 * Calls with other bodies, made from one valid body. A call may use up what it took from an earlier response, such as a
 * session that it cancelled; the next call then takes another, so that nothing but its body determines the response.
 */
export interface FreshBodies {
  /** The valid body that the control sent. */
  readonly valid: Json;
  /** Sends a body made from the valid one; `again` is the exchange that it repeats. */
  readonly call: (step: Step, body: BodyInput, again?: Exchange) => Promise<Exchange>;
  /** The body of an earlier attempt; undefined where it was not recorded as it was sent. */
  readonly recorded: (earlier: Exchange) => BodyInput | undefined;
}

/** How values are taken anew. */
interface Renewing {
  /** The number of times. */
  readonly renewals?: number;
  /** All bodies are to be refused, so that they use nothing up and need nothing that is valid but a path. */
  readonly areRefused?: boolean;
}

/** Other bodies after a control, or without one, as to accept what is to be refused is always wrong. */
export async function freshBodies(
  client: CaseClient,
  control: Exchange | undefined,
  { renewals = Math.max(leastRenewals, Math.floor(client.fuzzRuns / 2)), areRefused = false }: Renewing = {},
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
  return {
    valid,
    call: async (step, input, again) => {
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
        ...(again && { neutral: ridersOf(again) }),
      });
      const status = statusOf(exchange) ?? 500;
      isStale ||= status === 200 || (status >= 500 && !areRefused);
      return exchange;
    },
    recorded: ({ label, row, request }) => {
      const body = sentBody({ request });
      if (body === undefined) return undefined;
      const contentType = request.headers.find(([name]) => name === 'content-type')?.[1];
      const write = (): RawBody => ({ bytes: Buffer.from(withTokens(body.text)), contentType });
      return { id: String(row?.['body']), label, value: valid, write };
    },
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
