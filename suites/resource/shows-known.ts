import { isFound, parseBody } from '../../harness/evidence/answer.ts';
import { type Leaf, type Leaves, leavesOf } from '../../harness/evidence/json-leaves.ts';
import { rawValueOf } from '../../harness/evidence/sent-values.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { isPlainSlug } from '../../harness/requests/mutate-preserving-shape.ts';
import { lastChanged, longId } from './near-misses.ts';
import { isNoName } from './path-values.ts';

/** Texts that two responses without an id must have in common to show one resource. */
const leastTexts = 2;
/** Characters of a text that distinguishes resources. */
const leastLength = 3;
/** Characters from which on an id that is no slug may be encoded bytes, of which decoders drop foreign characters. */
const leastEncoded = 16;

/**
 * Whether a 200 to a wrong value shows the resource of the known one: its id at the same place, or all of its texts.
 * False where a value that has nothing to do with the known one gets the same, as lists and defaults may be the same for all.
 */
export function showsKnown(name: string, known: Exchange, wrong: Exchange, unrelated: Exchange): boolean {
  // Sessions are created all the time: the known one of the moment may be another than the one that is shown.
  if (name === 'sessionId')
    return (
      showsAnother(name, known, wrong) ||
      (isNeverIssued(name, wrong) && isFound(wrong) && !isFound(unrelated))
    );
  const [value, sent] = [known, wrong].map((exchange) => sentValue(exchange, name));
  const [before, shown, other] = [known, wrong, unrelated].map(fieldsOf);
  if (value === undefined || sent === undefined || isSpelling(sent, value)) return false;
  if (before === undefined || shown === undefined) return false;
  const pointers = idPointers(before, value);
  const isShown = (fields: Leaves, at: string): boolean => String(fields.get(at)) === value;
  if (pointers.some((at) => isShown(shown, at) && !(other && isShown(other, at)))) return true;
  // A resource of that name may have the same texts, and a store the same list; a value of another kind names one there.
  const isOwn = pointers.some((at) => String(shown.get(at)) === sent);
  const isListOfOther = pointers.length === 0 && wrong.step === 'otherKind';
  const texts = textsOf(before, pointers);
  return (
    other === undefined &&
    !isOwn &&
    !isListOfOther &&
    texts.length >= leastTexts &&
    texts.every(([pointer, text]) => shown.get(pointer) === text)
  );
}

/**
 * Whether a session id is one that nobody has issued, so that its response may show what it likes: near to a long one, and
 * no other of a series, or a value that names nothing.
 */
function isNeverIssued(name: string, { request, row = {}, step }: Exchange): boolean {
  const isLong = (request.values[name]?.value.length ?? 0) >= longId;
  const isNear = step === 'nearMiss' && row['places'] === undefined && row[name] !== lastChanged;
  return isLong && (isNear || isNoName(row[name]));
}

/** Whether a 200 shows, where the known one shows its id, another id than the one that was asked for. */
export function showsAnother(name: string, known: Exchange, wrong: Exchange): boolean {
  const [value, sent] = [known, wrong].map((exchange) => sentValue(exchange, name));
  const [before, shown] = [known, wrong].map(fieldsOf);
  if (value === undefined || sent === undefined || before === undefined || shown === undefined) return false;
  return idPointers(before, value).some((pointer) => isOtherId(shown.get(pointer), sent));
}

/** Whether a 200 shows, where the known one shows its id, a resource without any. */
export function showsNone(name: string, known: Exchange, wrong: Exchange): boolean {
  const [before, shown] = [known, wrong].map(fieldsOf);
  if (before === undefined || shown === undefined) return false;
  return idPointers(before, sentValue(known, name) ?? '').some((pointer) => {
    const owner = pointer.slice(0, pointer.lastIndexOf('/') + 1);
    return (
      (shown.get(pointer) ?? '') === '' &&
      [...shown.keys()].some((at) => at.startsWith(owner) && before.has(at))
    );
  });
}

/** Whether a 200 has nothing in common with the known one, which shows its own id: the items of a list show that of their owner. */
export function showsSomethingElse(name: string, known: Exchange, one: Exchange): boolean {
  const [before, shown] = [known, one].map(fieldsOf);
  if (before === undefined || shown === undefined) return false;
  const pointers = idPointers(before, sentValue(known, name) ?? '');
  const isOwn = pointers.length > 0 && !pointers.some((at) => /\/\d+(?:\/|$)/.test(at));
  return isOwn && ![...shown.keys()].some((at) => before.has(at));
}

/** Whether the response to a known value holds anything by which it can be recognized. */
export function isRecognizable(name: string, known: Exchange): boolean {
  const fields = fieldsOf(known);
  if (fields === undefined) return false;
  const pointers = idPointers(fields, sentValue(known, name) ?? '');
  return pointers.length > 0 || textsOf(fields, pointers).length >= leastTexts;
}

/** Whether a value is another spelling of a known one, which a conforming service may take for it. */
export function isSpelling(value: string, known: string): boolean {
  const [one, two] = [plain(value).replace(formatSuffix, ''), plain(known).replace(formatSuffix, '')];
  // Decoders of forms read a plus sign as a space.
  if (one === two || plain(value.replaceAll('+', ' ')) === two) return true;
  const isEncoded = known.length >= leastEncoded && !isPlainSlug(known);
  return isEncoded && one.replaceAll(/[^a-z0-9]/g, '') === two.replaceAll(/[^a-z0-9]/g, '');
}

/**
 * The value of a path parameter as the service sees it, decoded once. Servers may drop what follows a semicolon in a
 * segment, as it is a parameter of the segment unless it is encoded (RFC 3986, section 3.3).
 */
export function sentValue({ request }: Exchange, name: string): string | undefined {
  const raw = rawValueOf(request, name);
  try {
    return raw === undefined ? undefined : decodeURIComponent(raw.replace(/;.*$/s, ''));
  } catch {
    return raw;
  }
}

/** By which some frameworks name the format of a response (Rails, JAX-RS). */
const formatSuffix = /\.(?:json|xml|html|png)$/;

function plain(value: string): string {
  return value
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase();
}

/** Where a resource shows its own id: at the least depth, as what it refers to, such as recommendations, may show it too. */
function idPointers(fields: Leaves, value: string): readonly string[] {
  const pointers = [...fields].filter(([, leaf]) => String(leaf) === value).map(([pointer]) => pointer);
  const depths = pointers.map((pointer) => pointer.split('/').length);
  return pointers.filter((_, at) => depths[at] === Math.min(...depths));
}

function textsOf(fields: Leaves, ids: readonly string[]): ReadonlyArray<readonly [string, Leaf]> {
  return [...fields].filter(
    ([pointer, leaf]) => typeof leaf === 'string' && leaf.length >= leastLength && !ids.includes(pointer),
  );
}

function isOtherId(shown: Leaf | undefined, sent: string): boolean {
  const isId = typeof shown === 'number' || (typeof shown === 'string' && shown.trim() !== '');
  return isId && !isSpelling(sent, String(shown));
}

/** The fields of a 200, also of one that breaks off after them. */
function fieldsOf({ response }: Exchange): Leaves | undefined {
  if (response?.status !== 200) return undefined;
  const body = parseBody(response.body);
  return typeof body === 'object' && body !== null ? leavesOf(body) : undefined;
}
