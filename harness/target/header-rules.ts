import { UsageError } from '../usage-error.ts';
import type { Objection } from './target-problem.ts';

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Headers that the checks themselves set, or that belong to the connection. */
const OWN: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Says why a text cannot be sent as a header value, without repeating it. */
export function headerValueObjection(name: string, value: string): Objection | undefined {
  if (/[\r\n]/.test(value)) {
    return {
      what: `${name} contains a line break`,
      why: 'a header value is one line',
      remedy: 'remove the line break; a value read from a file often ends in one',
    };
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(value)) {
    return {
      what: `${name} contains a control character`,
      why: 'it cannot be sent in a header',
      remedy: 'copy the value anew, without tabs or invisible characters',
    };
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the bounds of Latin-1
  if (/[^\u0000-\u00ff]/.test(value)) {
    return {
      what: `${name} contains a character outside Latin-1`,
      why: 'it cannot be sent in a header',
      remedy: 'copy the value anew; quotation marks or dashes may have been replaced',
    };
  }
  if (value.trim() !== value) {
    return {
      what: `${name} starts or ends with white space`,
      why: 'white space around a header value is lost on the way',
      remedy: 'remove it',
    };
  }
  return undefined;
}

/** Says why a header cannot be sent with every request. */
export function headerObjection(name: string, value: string): Objection | undefined {
  if (!TOKEN.test(name)) {
    return { what: `${JSON.stringify(name)} is not a header name`, remedy: 'use letters, digits and -' };
  }
  const lower = name.toLowerCase();
  if (lower === 'authorization') {
    return {
      what: 'the Authorization header cannot be set for every request',
      why: 'it carries the keys, and many checks send none or a wrong one',
      remedy: 'give the keys under keys, and their form as authorization',
    };
  }
  if (OWN.has(lower)) {
    return {
      what: `the header ${name} cannot be set for every request`,
      why: 'the checks or the connection set it',
      remedy: 'remove it',
    };
  }
  return headerValueObjection(`the header ${name}`, value);
}

/** Reads `Name: value`, as `--header` takes it. */
export function parseHeader(text: string, where: string): readonly [name: string, value: string] {
  const colon = text.indexOf(':');
  if (colon < 1) {
    throw new UsageError({
      what: 'a header needs a name, a colon and a value',
      where,
      remedy: "write 'Name: value'",
    });
  }
  const header = [text.slice(0, colon).trim(), text.slice(colon + 1).trim()] as const;
  const objection = headerObjection(...header);
  if (objection !== undefined) throw new UsageError({ ...objection, where });
  return header;
}
