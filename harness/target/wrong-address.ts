import { headerOf, isJsonMediaType } from '../evidence/answer.ts';
import { bodyFormOf, identifyResponder } from '../evidence/identify-responder.ts';
import type { Exchange } from '../model/exchange.ts';

/** Share of the responses that must agree for a cause to be named. */
const most = 0.8;

/**
 * Why a base URL leads elsewhere than to the service, where no valid call is answered with 200 and JSON: the likely cause
 * in one sentence. Undefined where one call is, and where nothing was answered at all.
 */
export function wrongAddressOf(exchanges: readonly Exchange[], baseUrl: string): string | undefined {
  const answered = exchanges.filter(
    ({ response, failure }) => response !== undefined && failure === undefined,
  );
  if (answered.length === 0 || answered.some(isServed)) return undefined;
  return `No valid call at ${baseUrl} is answered with 200 and JSON: ${causeOf(answered)}`;
}

/** Whether a call was answered with 200, and not with the page of a website. */
function isServed(exchange: Exchange): boolean {
  if (exchange.response?.status !== 200) return false;
  const isPage = ['html', 'text'].includes(bodyFormOf(exchange));
  return !isPage || isJsonMediaType(headerOf(exchange, 'content-type'));
}

function causeOf(answered: readonly Exchange[]): string {
  const isMost = (predicate: (exchange: Exchange) => boolean): boolean =>
    answered.filter(predicate).length >= answered.length * most;
  const status = (exchange: Exchange): number => exchange.response?.status ?? 0;
  const who = responderIn(answered);
  if (isMost((one) => [502, 503, 504].includes(status(one))))
    return `every response is ${statusesOf(answered)}${who}. Is the service down behind its proxy?`;
  if (isMost((one) => status(one) >= 500))
    return `every response is ${statusesOf(answered)}${who}. Is the service running?`;
  const redirect = answered.find((one) => status(one) >= 300 && status(one) < 400);
  if (redirect !== undefined && isMost((one) => status(one) >= 300 && status(one) < 400)) {
    const location = headerOf(redirect, 'location') ?? 'nowhere';
    return `every response redirects, to ${location}. Give the address behind the redirect as base URL`;
  }
  if (isMost((one) => status(one) === 200))
    return `the responses are ${formOf(answered)}. Is this another website, or a single-page application in front?`;
  if (isMost((one) => status(one) === 404 || status(one) === 405))
    return `every response is ${statusesOf(answered)}${who}. Is the path before /api/v1 in the base URL right, and is this the right host?`;
  if (isMost((one) => status(one) === 401 || status(one) === 407))
    return `every response is ${statusesOf(answered)}${who}, at public reads too. Does a gateway in front ask for credentials of its own (\`headers\` in the target file)?`;
  if (isMost((one) => status(one) === 403))
    return `every response is ${statusesOf(answered)}${who}. Does a firewall refuse the harness by its address or user-agent?`;
  return `the responses are ${statusesOf(answered)}${who}. Are host, base path and keys right?`;
}

function responderIn(answered: readonly Exchange[]): string {
  for (const exchange of answered) {
    const identified = identifyResponder(exchange);
    if (identified !== undefined) return ` (${identified.why}, from ${identified.responder.name})`;
  }
  return '';
}

function statusesOf(answered: readonly Exchange[]): string {
  const statuses = [...new Set(answered.map(({ response }) => response?.status ?? 0))].sort();
  return statuses.join(' or ');
}

function formOf(answered: readonly Exchange[]): string {
  return answered.some((exchange) => bodyFormOf(exchange) === 'html') ? 'HTML pages' : 'no JSON';
}

/** Why no requirement on API keys can be tested, where none of the given keys is accepted anywhere. */
export const keysRefused =
  'Every API key gets 401 at every operation: the key is wrong or expired, it is written in another way here (`authorization` in the target file), or a proxy removes the Authorization header';
