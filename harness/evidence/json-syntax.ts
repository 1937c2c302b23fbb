import type { JsonKind } from '../model/exchange.ts';

const quote = 0x22;
const backslash = 0x5c;
const openObject = 0x7b;
const closeObject = 0x7d;
const openArray = 0x5b;
const closeArray = 0x5d;
const colon = 0x3a;
const comma = 0x2c;

/** What may stand at a place: a value, a value or the end of an array, and so on. */
type Expected = 'value' | 'value-or-end' | 'name' | 'name-or-end' | 'comma-or-end';

/**
 * What bytes of UTF-8 are as JSON, told without making the value: that of a flood takes ten times its size, and nobody
 * asks for it. Agrees with JSON.parse, and with `jsonKind` on a byte order mark.
 */
export function scanJson(bytes: Buffer): JsonKind {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  if (bytes.length === start) return 'empty';
  const scan = new Scan(bytes, start);
  return scan.isWhole() ? kindOf(bytes[scan.first]) : 'malformed';
}

/** Whether a text begins as a JSON object or array and ends before that does, with nothing wrong until there. */
export function isCutJson(text: string): boolean {
  const bytes = Buffer.from(text);
  const scan = new Scan(bytes, 0);
  return !scan.isWhole() && [openObject, openArray].includes(bytes[scan.first] ?? 0) && scan.isAtEnd;
}

/** Whether a text is a whole JSON object or array and goes on with another one. */
export function isJsonTwice(text: string): boolean {
  const bytes = Buffer.from(text);
  const scan = new Scan(bytes, 0);
  if (scan.isWhole() || !scan.hasEnded) return false;
  return [openObject, openArray].includes(bytes[scan.at] ?? 0);
}

function kindOf(first: number | undefined): JsonKind {
  switch (first) {
    case openObject:
      return 'object';
    case openArray:
      return 'array';
    case quote:
      return 'string';
    case 0x74:
    case 0x66:
      return 'boolean';
    case 0x6e:
      return 'null';
    default:
      return 'number';
  }
}

class Scan {
  readonly #bytes: Buffer;
  #at: number;
  /** Whether each open container is an object. */
  #open = new Uint8Array(1024);
  #depth = 0;
  /** Where the value begins. */
  first = 0;

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#at = start;
  }

  isWhole(): boolean {
    this.#skipBlanks();
    this.first = this.#at;
    let expected: Expected | undefined = 'value';
    while (expected !== undefined) {
      this.#skipBlanks();
      const byte = this.#bytes[this.#at];
      if (byte === undefined) return expected === 'comma-or-end' && this.#depth === 0;
      expected = this.#next(expected, byte);
    }
    return false;
  }

  /** Where the scan is. */
  get at(): number {
    return this.#at;
  }

  /** Whether the value is whole so far, though more may follow it. */
  get hasEnded(): boolean {
    return this.#depth === 0 && this.#at > this.first;
  }

  /** Whether nothing is left to scan: what failed is that the bytes end. */
  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** What may follow; undefined where this may not stand here. */
  #next(expected: Expected, byte: number): Expected | undefined {
    switch (expected) {
      case 'comma-or-end':
        if (byte === comma && this.#depth > 0) {
          this.#at += 1;
          return this.#isInObject ? 'name' : 'value';
        }
        return byte === (this.#isInObject ? closeObject : closeArray) ? this.#close() : undefined;
      case 'name-or-end':
        if (byte === closeObject) return this.#close();
        return this.#name(byte);
      case 'name':
        return this.#name(byte);
      case 'value-or-end':
        return byte === closeArray ? this.#close() : this.#value(byte);
      case 'value':
        return this.#value(byte);
    }
  }

  get #isInObject(): boolean {
    return this.#open[this.#depth - 1] === 1;
  }

  #close(): Expected | undefined {
    if (this.#depth === 0) return undefined;
    this.#at += 1;
    this.#depth -= 1;
    return 'comma-or-end';
  }

  #enter(isObject: boolean): Expected {
    if (this.#depth === this.#open.length) {
      const more = new Uint8Array(2 * this.#depth);
      more.set(this.#open);
      this.#open = more;
    }
    this.#open[this.#depth] = isObject ? 1 : 0;
    this.#depth += 1;
    this.#at += 1;
    return isObject ? 'name-or-end' : 'value-or-end';
  }

  #name(byte: number): Expected | undefined {
    if (byte !== quote || !this.#string()) return undefined;
    this.#skipBlanks();
    if (this.#bytes[this.#at] !== colon) return undefined;
    this.#at += 1;
    return 'value';
  }

  #value(byte: number): Expected | undefined {
    switch (byte) {
      case openObject:
        return this.#enter(true);
      case openArray:
        return this.#enter(false);
      case quote:
        return this.#string() ? 'comma-or-end' : undefined;
      case 0x74:
        return this.#word('true');
      case 0x66:
        return this.#word('false');
      case 0x6e:
        return this.#word('null');
      default:
        return this.#number() ? 'comma-or-end' : undefined;
    }
  }

  #word(word: string): Expected | undefined {
    const found = this.#bytes.toString('latin1', this.#at, this.#at + word.length);
    if (word.startsWith(found)) this.#at += found.length;
    return found === word ? 'comma-or-end' : undefined;
  }

  #string(): boolean {
    for (this.#at += 1; ; this.#at += 1) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined || byte < 0x20) return false;
      if (byte === quote) {
        this.#at += 1;
        return true;
      }
      if (byte === backslash && !this.#escape()) return false;
    }
  }

  /** Leaves off at its last byte. */
  #escape(): boolean {
    this.#at += 1;
    const byte = this.#bytes[this.#at];
    if (byte === undefined) return false;
    if (byte !== 0x75) return '"\\/bfnrt'.includes(String.fromCharCode(byte));
    const digits = this.#bytes.toString('latin1', this.#at + 1, this.#at + 5);
    if (/^[\da-f]*$/i.test(digits)) this.#at += 4;
    return /^[\da-f]{4}$/i.test(digits);
  }

  #number(): boolean {
    if (this.#bytes[this.#at] === 0x2d) this.#at += 1;
    if (this.#bytes[this.#at] === 0x30) this.#at += 1;
    else if (!this.#digits()) return false;
    if (this.#bytes[this.#at] === 0x2e) {
      this.#at += 1;
      if (!this.#digits()) return false;
    }
    const byte = this.#bytes[this.#at];
    if (byte !== 0x65 && byte !== 0x45) return true;
    this.#at += 1;
    const sign = this.#bytes[this.#at];
    if (sign === 0x2b || sign === 0x2d) this.#at += 1;
    return this.#digits();
  }

  #digits(): boolean {
    const start = this.#at;
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined || byte < 0x30 || byte > 0x39) return this.#at > start;
      this.#at += 1;
    }
  }

  #skipBlanks(): void {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.#at += 1;
    }
  }
}

/** Longest text whose value is held on to. */
const longest = 1024 * 1024;

let last: { readonly text: string; readonly value: unknown } | undefined;

/**
 * JSON.parse, a byte order mark left aside as most readers do, which keeps the last value: all that look at an exchange
 * parse its body. The value is shared and must not be changed. Throws `SyntaxError`.
 */
export function parseJson(text: string): unknown {
  if (last?.text === text) return last.value;
  const value: unknown = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  if (text.length <= longest) last = { text, value };
  return value;
}
