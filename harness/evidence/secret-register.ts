import { createHmac, randomBytes } from 'node:crypto';
import { keptAt } from '../kept-at.ts';
import { decodeEscapes, rareForms, type WrittenForm, writtenForms } from './secrets/written-forms.ts';

const windowLength = 6;
/** Every stretch of `surelyFound` characters holds a whole window that starts at a multiple of this. */
const windowStep = 7;
/** Minimum length of a part of a form that is found anywhere in a text. */
const surelyFound = windowLength + windowStep - 1;
/** Characters of a secret's beginning that are removed at the end of a text that was cut. */
const leastBeginning = 4;
/** Characters around a whole secret that say nothing of another one, such as a key that was made from it. */
const mostAround = 3;

/** Texts that are known to hold no secret, and the length of the longest. */
const mostClean = 2_000;
const longestClean = 200;

/** Cookies with a part of a secret that are remembered; a service sets few. */
const mostCookies = 100;

interface Registered extends WrittenForm {
  readonly description: string;
}

/** A part of a text that must not be written, and its replacement. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly placeholder: string;
}

/** Every value that must never be written, with its replacement. */
export class SecretRegister {
  // Lives for one run only, so that fingerprints of two runs cannot be compared or looked up.
  readonly #fingerprintKey = randomBytes(32);
  readonly #forms = new Map<string, Registered>();
  /** The positions of each window in the forms that are long enough to be found by it. */
  readonly #windows = new Map<string, Array<{ readonly form: Registered; readonly at: number }>>();
  /** Matches all forms, and those alone that have no window. */
  #patterns: { readonly all: RegExp; readonly short: RegExp } | undefined;
  #longest = 0;
  /** Texts known to hold no secret, because most headers recur. */
  readonly #clean = new Set<string>();
  readonly #fingerprints = new Map<string, string>();
  /** Cookies that hold a part of a secret, by what is written in their place. */
  readonly #cookies = new Map<string, string>();

  /**
   * Registers a secret under what it is in words, such as `scoped key`; the first description of a value stays. `variant`
   * stands for a value made from a secret, whose rare forms share their parts with those of the secret.
   */
  add(secret: string, description: string, of: 'secret' | 'variant' = 'secret'): void {
    for (const written of [...writtenForms(secret), ...(of === 'secret' ? rareForms(secret) : [])]) {
      if (this.#forms.has(written.text)) continue;
      const form = { ...written, description };
      this.#forms.set(form.text, form);
      this.#longest = Math.max(this.#longest, form.text.length);
      this.#patterns = undefined;
      this.#clean.clear();
      if (!hasWindows(form)) continue;
      for (let at = 0; at + windowLength <= form.text.length; at += 1) {
        const window = form.text.slice(at, at + windowLength);
        keptAt(this.#windows, window, () => []).push({ form, at });
      }
    }
  }

  /** Twelve hexadecimal digits that distinguish the secrets of one run and reveal nothing else. */
  fingerprint(secret: string): string {
    return keptAt(this.#fingerprints, secret, () =>
      createHmac('sha256', this.#fingerprintKey).update(secret).digest('hex').slice(0, 12),
    );
  }

  /** The text with every registered secret, and every long part of one, in any case and coding, replaced by its description. */
  redact(text: string): string {
    if (this.#forms.size === 0 || this.#clean.has(text)) return text;
    const found = [...this.#stretches(lowerCase(text))];
    // An apparent escape may not be one, such as the percent sign of `100%` before the first digits of a key.
    if (/[%\\&]/.test(text)) {
      const { plain, sourceOf } = decodeEscapes(text);
      for (const { start, end, placeholder } of this.#stretches(lowerCase(plain))) {
        found.push({ start: sourceOf(start), end: sourceOf(end), placeholder });
      }
    }
    if (found.length === 0) {
      if (this.#clean.size >= mostClean) this.#clean.clear();
      if (text.length <= longestClean) this.#clean.add(text);
      return text;
    }
    let redacted = '';
    let done = 0;
    for (const { start, end, placeholder } of joined(found)) {
      redacted += text.slice(done, start) + placeholder;
      done = end;
    }
    return redacted + text.slice(done);
  }

  /** Like `redact`, for a Set-Cookie header, whose cookie `cookiesAsSet` gives back. */
  redactCookie(header: string): string {
    const redacted = this.redact(header);
    if (redacted !== header && this.#cookies.size < mostCookies)
      this.#cookies.set(cookieIn(redacted), cookieIn(header));
    return redacted;
  }

  /** A Cookie header made of redacted cookies, as the target has set them: only they mean something to it. */
  cookiesAsSet(redacted: string): string {
    const cookies = redacted.split('; ').map((cookie) => this.#cookies.get(cookie) ?? cookie);
    return cookies.join('; ');
  }

  /** Like `redact`, for a text that was cut: a secret's beginning at the very end is removed too. */
  redactCut(text: string): string {
    const redacted = this.redact(text);
    const tail = lowerCase(redacted.slice(-this.#longest));
    let start = tail.length;
    for (const form of this.#forms.keys()) {
      const beginning = form.slice(0, leastBeginning);
      for (let at = tail.indexOf(beginning); at >= 0 && at < start; at = tail.indexOf(beginning, at + 1))
        if (form.length > tail.length - at && form.startsWith(tail.slice(at))) start = at;
    }
    return start === tail.length
      ? redacted
      : `${redacted.slice(0, redacted.length - tail.length + start)}<cut secret>`;
  }

  #stretches(text: string): readonly Stretch[] {
    const forms = (): readonly Registered[] => [...this.#forms.values()];
    this.#patterns ??= {
      all: anyOf(forms(), 'g'),
      short: anyOf(forms().filter((form) => !hasWindows(form))),
    };
    const { all, short } = this.#patterns;
    // A whole form that has windows is found as a part as well.
    const parts = this.#parts(text);
    if (parts.length === 0 && !short.test(text)) return [];
    const wholes = [...text.matchAll(all)].map(({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
      placeholder: `<${this.#forms.get(found)?.description ?? 'secret'}>`,
    }));
    const isOf = (part: Stretch): boolean =>
      wholes.some(({ start, end }) => part.start >= start - mostAround && part.end <= end + mostAround);
    return [...wholes, ...parts.filter((part) => !isOf(part))];
  }

  #parts(text: string): readonly Stretch[] {
    const stretches: Stretch[] = [];
    for (let at = 0; at + windowLength <= text.length; at += windowStep) {
      for (const place of this.#windows.get(text.slice(at, at + windowLength)) ?? []) {
        const { form } = place;
        let before = 0;
        while (before < place.at && text[at - before - 1] === form.text[place.at - before - 1]) before += 1;
        let length = windowLength;
        while (place.at + length < form.text.length && text[at + length] === form.text[place.at + length])
          length += 1;
        const placeholder = `<part of ${form.description}>`;
        if (before + length >= form.leastPart)
          stretches.push({ start: at - before, end: at + length, placeholder });
      }
    }
    return stretches;
  }
}

/** The cookie of a Set-Cookie header, without its attributes. */
export function cookieIn(header: string): string {
  return header.split(';', 1)[0] ?? '';
}

/** Whether a form, and each part of it that must not be written, is found by a window. */
function hasWindows({ text, leastPart }: WrittenForm): boolean {
  return text.length >= Math.max(surelyFound, leastPart);
}

/** Matches each of some forms; nothing where there are none. */
function anyOf(forms: readonly WrittenForm[], flags?: string): RegExp {
  const patterns = forms
    .map(({ text }) => text)
    // A near miss may contain the key that it was made from.
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(patterns.length === 0 ? '(?!)' : patterns.join('|'), flags);
}

/** Stretches that overlap as one, under the placeholder of the longest of them; in order. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  // Sorting keeps wholes before parts of the same place, which came later.
  const ordered = [...stretches].sort((a, b) => a.start - b.start || b.end - a.end);
  const union: Stretch[] = [];
  let longest = 0;
  for (const stretch of ordered) {
    const last = union.at(-1);
    const length = stretch.end - stretch.start;
    if (last === undefined || stretch.start >= last.end) {
      union.push(stretch);
      longest = length;
      continue;
    }
    const placeholder = length > longest ? stretch.placeholder : last.placeholder;
    longest = Math.max(longest, length);
    union[union.length - 1] = { start: last.start, end: Math.max(last.end, stretch.end), placeholder };
  }
  return union;
}

/** In small letters, each at its place: the few letters that would become two stay as they are. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (character) => {
    const small = character.toLowerCase();
    return small.length === character.length ? small : character;
  }).join('');
}

/** Names that suggest a secret. */
const telling = /auth|token|secret|key|cookie|pass|bypass|credential|signature|assertion|jwt|session/i;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Characters below which a value that only looks like a token, or stood in the environment, is taken for a word. */
const leastToken = 8;

/**
 * Whether the value of a header that every request carries is kept out of all that is written. What is not a secret must
 * not be taken for one: it would be missing from the bodies that the checks read.
 */
export function isSecretHeader(name: string, value: string, fromEnvironment: boolean): boolean {
  if (telling.test(name)) return true;
  if (fromEnvironment) return value.length >= leastToken;
  const looksRandom = /^[\w.~+/=-]{16,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
  return looksRandom && !uuid.test(value);
}
