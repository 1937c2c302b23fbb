import type { CaseClient } from '../../harness/calls/case-client.ts';
import { takeParameters } from '../../harness/checks/body-refusal.ts';
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
import type { Operation } from '../../spec/operation.ts';
import type { BodyInput } from './body-input.ts';

/** Minimum number of times that the values taken from earlier responses are taken anew. */
const leastRenewals = 8;
/** A shorter text is too likely to occur in a body by chance. */
const shortestToken = 8;

/**
 * Calls with other bodies, made from one valid body. A call may use up what it took from an earlier response, such as a
 * session that it cancelled; the next call then takes another, so that nothing but its body determines the response.
 */
export class FreshBodies {
  readonly #client: CaseClient;
  readonly #operation: Operation;
  readonly #control: Exchange;
  /** The valid body that the control sent. */
  readonly valid: Json;
  #parameters: Readonly<Record<string, string>> = {};
  /** Texts of the control that are out of date, and their replacements. */
  #tokens: ReadonlyArray<readonly [old: string, now: string]> = [];
  #isStale = true;
  #renewalsLeft: number;

  private constructor(
    client: CaseClient,
    operation: Operation,
    control: Exchange,
    valid: Json,
    renewals: number,
  ) {
    this.#client = client;
    this.#operation = operation;
    this.#control = control;
    this.valid = valid;
    this.#renewalsLeft = renewals;
    this.#parameters = sentValues(control);
  }

  static async after(
    client: CaseClient,
    operation: Operation,
    control: Exchange,
    renewals: number = Math.max(leastRenewals, Math.floor(client.fuzzRuns / 2)),
  ): Promise<FreshBodies> {
    const sent = sentBody(control);
    const valid = sent === undefined ? await client.validBody() : (JSON.parse(sent.text) as Json);
    return new FreshBodies(client, operation, control, valid, renewals);
  }

  /** Sends a body made from the valid one; `again` is the exchange that it repeats. */
  async call(step: Step, { id, label, value, write }: BodyInput, again?: Exchange): Promise<Exchange> {
    await this.#renew();
    const neutral = again && { neutral: ridersOf(again) };
    const changes = {
      label,
      row: { body: id },
      body: write(this.#renewed(value)),
      parameters: this.#parameters,
      ...neutral,
    };
    const exchange = await this.#client.call(step, changes);
    const status = statusOf(exchange) ?? 500;
    this.#isStale ||= status === 200 || status >= 500;
    return exchange;
  }

  /** The body of an earlier attempt; undefined where it was not recorded as it was sent. */
  recorded({ label, row, request }: Exchange): BodyInput | undefined {
    const body = sentBody({ request });
    if (body === undefined) return undefined;
    const contentType = request.headers.find(([name]) => name === 'content-type')?.[1];
    const write = (): RawBody => ({ bytes: Buffer.from(this.#withTokensOf(body.text)), contentType });
    return { id: String(row?.['body']), label, value: this.valid, write };
  }

  async #renew(): Promise<void> {
    if (!this.#isStale || this.#renewalsLeft === 0) return;
    this.#isStale = false;
    const before = this.#client.exchanges.length;
    const taken = await unlessInconclusive(async () => ({
      fresh: await this.#client.validBody(),
      parameters: await takeParameters(this.#client, this.#operation, this.#control),
    }));
    if (taken === undefined) {
      // The values taken last remain in use.
      this.#renewalsLeft = 0;
      return;
    }
    this.#parameters = taken.parameters;
    this.#tokens = tokensBetween(this.valid, taken.fresh, sentValues(this.#control), taken.parameters);
    // Values that cost no request may be taken anew each time.
    if (this.#client.exchanges.length > before) this.#renewalsLeft -= 1;
  }

  #renewed(value: Json): Json {
    return withTexts(value, (text) =>
      this.#tokens.reduce((renewed, [old, now]) => {
        if (renewed === old) return now;
        return old.length < shortestToken ? renewed : renewed.replaceAll(old, now);
      }, text),
    );
  }

  /** The text of a body with the values of an earlier attempt replaced, which their place and length identify. */
  #withTokensOf(text: string): string {
    let renewed = text;
    const earlier = parseSent(text);
    for (const { path, value } of jsonLeaves(this.valid)) {
      const now = this.#tokens.find(([old]) => old === value)?.[1];
      const old = jsonAt(earlier, path);
      if (now === undefined || typeof old !== 'string' || old.length !== now.length) continue;
      renewed = renewed.replaceAll(JSON.stringify(old), () => JSON.stringify(now));
    }
    return renewed;
  }
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
