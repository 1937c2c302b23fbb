import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';

/**
 * Formats whose grammars leave no doubt. Left out are those on which libraries differ, such as addresses outside ASCII:
 * for OpenAPI 3.1 a format only annotates, and a service must not fail for a matter of opinion.
 */
const undisputed = [
  ...(['date', 'time', 'duration', 'uri', 'uri-reference', 'uuid', 'ipv4', 'ipv6'] as const),
  ...(['json-pointer', 'relative-json-pointer', 'byte', 'int32', 'int64', 'float', 'double'] as const),
];

/** The formats that values are held to. */
export const assertedFormats: Readonly<Record<string, Format>> = {
  ...Object.fromEntries(undisputed.map((name) => [name, fullFormats[name]])),
  // That of ajv-formats takes a space for the T.
  'date-time': (text: string) => !/\s/.test(text) && isDateTime(text),
};

function isDateTime(text: string): boolean {
  return (fullFormats['date-time'] as { readonly validate: (text: string) => boolean }).validate(text);
}
