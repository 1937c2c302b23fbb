import type { CaseClient } from '../../harness/calls/case-client.ts';
import { sentBody } from '../../harness/checks/vary-body.ts';
import { parseBody } from '../../harness/evidence/answer.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import { jsonBody, type RawBody } from '../../harness/requests/call-spec.ts';
import { mutatePreservingShape, swapCase } from '../../harness/requests/mutate-preserving-shape.ts';

/** A value of a login in the body of its return. */
export interface IssuedValue {
  /** The name of its capture. */
  readonly name: string;
  /** As it was sent. */
  readonly sent: string;
  /** The same value of another login, whose return has not been consumed. */
  readonly fresh: string;
}

/** Another value in place of an issued one. */
export type ValueChange = (value: string, random: () => number) => string;

/** The values in the body of a return that were captured from the initiation of the login, each with a fresh one. */
export async function issuedValues(client: CaseClient, consumed: Exchange): Promise<readonly IssuedValue[]> {
  const texts = [...leavesOf(parseBody(sentBody(consumed))).values()].map(String);
  const initiate = client.withRole('initiates-login').id;
  const valueIn = (answer: Exchange, name: string): string | undefined => {
    const value = client.values.extract(name, parseBody(answer.response?.body));
    return value === undefined ? undefined : String(value);
  };
  const namesSent = (answer: Exchange): readonly string[] =>
    client.values.names.filter((name) => {
      const value = valueIn(answer, name);
      return value !== undefined && texts.some((text) => text.includes(value));
    });
  const issuer = client.exchanges.find(
    (one) => one.operation === initiate && client.capturedBy(one) !== undefined && namesSent(one).length > 0,
  );
  if (issuer === undefined) return [];
  const [first = '', ...others] = namesSent(issuer);
  const sent = (name: string): string => valueIn(issuer, name) ?? '';
  const found = [{ name: first, sent: sent(first), fresh: String(await client.capture(first)) }];
  // Values of one login belong together, and the client holds those of the one that it has just taken.
  for (const name of others)
    found.push({ name, sent: sent(name), fresh: String(await client.fill(`{${name}}`)) });
  return found;
}

/** The body of a consumed return with changed fresh values in place of the issued ones; numbers stay numbers. */
export function returnWith(
  consumed: Exchange,
  issued: readonly IssuedValue[],
  change: (value: string) => string,
): RawBody {
  const changed = new Map(issued.map(({ sent, fresh }) => [sent, change(fresh)]));
  return rewritten(consumed, (value) => {
    if (typeof value === 'number') return Number(changed.get(String(value)) ?? value);
    return [...changed].reduce((text, [from, to]) => text.replaceAll(from, () => to), value);
  });
}

/** The body of a consumed return with another value in place of each text or number that holds an issued one. */
export function returnHolding(consumed: Exchange, issued: readonly IssuedValue[], put: Json): RawBody {
  return rewritten(consumed, (value) =>
    issued.some(({ sent }) => String(value).includes(sent)) ? put : value,
  );
}

function rewritten(consumed: Exchange, change: (value: string | number) => Json): RawBody {
  const body = JSON.stringify(parseBody(sentBody(consumed)) ?? null);
  const other = JSON.parse(body, (_name, value: Json) =>
    typeof value === 'string' || typeof value === 'number' ? change(value) : value,
  );
  return jsonBody(other as Json);
}

/** The texts of a body as a query; undefined where it has none. */
export function asQuery({ bytes }: RawBody): string | undefined {
  const members = Object.entries(JSON.parse(bytes.toString()) as object);
  const texts = members.filter(([, value]) => typeof value === 'string');
  return texts.length === 0 ? undefined : new URLSearchParams(Object.fromEntries(texts)).toString();
}

/** Values of one login that are sent wrong alone. */
export const wrongAlone = 2;

/** What to report about an accepted return, of which perhaps one value alone was not issued. */
export function toldOfReturn({ label }: Exchange, isOneWrong: boolean): Pick<Violation, 'headline' | 'fix'> {
  if (!isOneWrong) return { headline: 'A login return that was never issued was not refused' };
  return {
    headline: `A login is consumed by ${label}`,
    fix: 'Compare each value of a return with what was issued for its login. Look for one that is stored and not compared: the return was accepted with all its other values right.',
  };
}

/** Ids that are sent in place of a state. */
export const shownIds = 2;

/** The values of members called ids in the answer to a return, which name something else than the login that it consumed. */
export function idsShown(consumed: Exchange, issued: readonly IssuedValue[]): readonly string[] {
  const sent = new Set(issued.map((one) => one.sent));
  const shown = [...leavesOf(parseBody(consumed.response?.body))];
  return shown.flatMap(([pointer, leaf]) =>
    /id$/i.test(pointer) && typeof leaf === 'string' && !sent.has(leaf) ? [leaf] : [],
  );
}

/** The number of letters and digits of a value. */
export function lettersIn(value: string): number {
  return value.replaceAll(/[^A-Za-z0-9]/g, '').length;
}

/** Letters and digits of a value that shares only the shape with an issued one; a shorter one is extended. */
const lettersOfLookAlike = 6;

/** A value in the shape of an issued one; a short one is extended, as another short one may belong to another login. */
export function lookAlike(value: string, random: () => number): string {
  const model = lettersIn(value) < lettersOfLookAlike ? `${value}482915`.slice(0, 14) : value;
  return mutatePreservingShape(model, random);
}

/** Letters and digits that a value needs so that a near miss cannot be the value of another login by chance. */
export const lettersOfNearMiss = 16;

/**
 * Changes to a value that make a near miss of it, by what is then sent; each leaves it as it is where the other may mean the
 * same.
 */
export const nearMisses: Readonly<Record<string, ValueChange>> = {
  // The low bits of the last base64 character may have no meaning.
  'with another last letter but one': (value, random) => {
    const place = [...value.matchAll(/[A-Za-z0-9]/g)].at(-2)?.index ?? 0;
    const changed = mutatePreservingShape(value.slice(place, place + 1), random);
    return value.slice(0, place) + changed + value.slice(place + 1);
  },
  // The letter case means nothing in hexadecimal digits.
  'in the other letter case': (value) =>
    /[a-z]/.test(value) && /[A-Z]/.test(value) ? swapCase(value) : value,
  // A lenient decoder stops at the padding of base64.
  'followed by three letters': (value) => (value.endsWith('=') ? value : `${value}xq7`),
  // A text of C ends at its first NUL.
  'followed by NUL and three letters': (value) => `${value}\0xq7`,
  // A comparison of as many characters as came.
  'cut by four letters': (value) => value.slice(0, -4),
  // Patterns of SQL and of file names, which key stores know, too.
  'with a percent sign for its end': (value) => `${value.slice(0, -4)}%`,
  'with an asterisk for its end': (value) => `${value.slice(0, -4)}*`,
  'with an empty signature': (value) => value.replace(/(?<=.\.)[^.]+$/, ''),
};
