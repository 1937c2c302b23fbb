import { createHmac, randomBytes } from 'node:crypto';

/** Every value that must never be written anywhere, and what is written in its place. */
export class SecretRegister {
  // Lives for one run only, so that fingerprints of two runs cannot be compared or looked up.
  readonly #fingerprintKey = randomBytes(32);
  readonly #placeholders = new Map<string, string>();
  #pattern: RegExp | undefined;
  #longest = 0;

  /** Registers a secret under what it is in words, such as `scoped key`; the first description of a value stays. */
  add(secret: string, description: string): void {
    for (const form of writtenForms(secret)) {
      const known = form.toLowerCase();
      if (!this.#placeholders.has(known)) {
        this.#placeholders.set(known, `<${description}>`);
        this.#longest = Math.max(this.#longest, form.length);
        this.#pattern = undefined;
      }
    }
  }

  /** Twelve hexadecimal digits that tell secrets of one run apart and nothing else. */
  fingerprint(secret: string): string {
    return createHmac('sha256', this.#fingerprintKey).update(secret).digest('hex').slice(0, 12);
  }

  /** The text with every registered secret, in any case and coding, replaced by its description. */
  redact(text: string): string {
    if (this.#placeholders.size === 0) return text;
    this.#pattern ??= new RegExp(
      [...this.#placeholders.keys()]
        // A near miss may contain the key that it was made from.
        .sort((a, b) => b.length - a.length)
        .map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
        .join('|'),
      'giu',
    );
    return text.replace(this.#pattern, (found) => this.#placeholders.get(found.toLowerCase()) ?? '<secret>');
  }

  /** Like `redact`, for a text that was cut: a secret's beginning at the very end is removed too. */
  redactCut(text: string): string {
    const redacted = this.redact(text);
    const tail = redacted.slice(-this.#longest).toLowerCase();
    for (let length = Math.min(tail.length, this.#longest - 1); length >= 4; length -= 1) {
      const end = tail.slice(-length);
      for (const secret of this.#placeholders.keys()) {
        if (secret.startsWith(end)) return `${redacted.slice(0, -length)}<cut secret>`;
      }
    }
    return redacted;
  }
}

/** The secret as it stands in plain text, JSON strings, URLs, HTML, base64 and reversed logs of bytes. */
function writtenForms(secret: string): ReadonlySet<string> {
  const bytes = Buffer.from(secret, 'utf8');
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    encodeURI(secret),
    secret.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ];
  // Shorter values would have codings that stand in many an innocent text.
  if (bytes.length >= 8) {
    forms.push(
      bytes.toString('base64').replace(/=+$/, ''),
      bytes.toString('base64url'),
      bytes.toString('hex'),
    );
  }
  return new Set(forms.filter((form) => form !== ''));
}
