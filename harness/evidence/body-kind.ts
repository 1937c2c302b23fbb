import type { Exchange, RecordedBody } from '../model/exchange.ts';
import { parseJson } from './parse-json.ts';

/** What is wrong with a body that is not JSON of the kind that its record names, on which checks rely. */
export function misstatedBody({ request, response }: Exchange): string | undefined {
  for (const [name, body] of [
    ['request', request.body],
    ['response', response?.body],
  ] as const)
    if (body !== undefined && !isAsStated(body)) return `the body of the ${name} is not ${body.json}`;
  return undefined;
}

function isAsStated({ text, encoding, truncated, json }: RecordedBody): boolean {
  if (json === 'malformed') return true;
  if (encoding === 'base64') return false;
  if (truncated) return true;
  if (json === 'empty') return /^\uFEFF?$/.test(text);
  try {
    const value = parseJson(text);
    return (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value) === json;
  } catch {
    return false;
  }
}
