import type { Exchange, RecordedBody } from '../model/exchange.ts';
import { parseJson } from './parse-json.ts';

/** Throws where a body of a recorded exchange is not JSON of the kind that its record names, which checks rely on. */
export function refuseMisstatedBodies({ id, request, response }: Exchange): void {
  for (const body of [request.body, response?.body])
    if (body !== undefined && !isAsStated(body)) throw new Error(`a body of ${id} is no JSON ${body.json}`);
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
