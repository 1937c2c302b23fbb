import { baseUrlParts } from '../base-url-parts.ts';
import { headerOf, isJsonMediaType } from '../evidence/answer.ts';
import { bodyFormOf, identifyResponder } from '../evidence/identify-responder.ts';
import type { Exchange, FailureKind } from '../model/exchange.ts';

/** Whether an exchange shows the sign of a mistake. */
type Sign = (exchange: Exchange, isTls?: boolean) => boolean;

function failed(kind: FailureKind, message: RegExp = /^/): Sign {
  return ({ failure }) => failure?.kind === kind && message.test(failure.message);
}

function answered(status: RegExp): Sign {
  return ({ failure, response }) => failure === undefined && status.test(String(response?.status));
}

const isRedirect = answered(/^3/);
const isOk = answered(/^200$/);

/** Whether it is a 200 that no service with a JSON interface sends. */
function isPage(exchange: Exchange): boolean {
  const isText = ['html', 'text'].includes(bodyFormOf(exchange));
  return isOk(exchange) && isText && !isJsonMediaType(headerOf(exchange, 'content-type'));
}

/** What is wrong with a target or its address, and what to do. */
interface Diagnosis {
  readonly sign: Sign;
  /** What the responses have in common, where it is not their status alone. */
  readonly statement?: (seen: readonly Exchange[]) => string;
  readonly fix: string;
}

const clientCertificate = 'give one that it trusts with --client-cert and --client-key';

/** The first diagnosis whose sign shows counts. */
const diagnoses: readonly Diagnosis[] = [
  { sign: failed('name-not-found'), fix: 'is the host name right, and known to this network?' },
  { sign: failed('refused'), fix: 'is the service running, and is the port right?' },
  {
    sign: failed('proxy'),
    fix: 'HTTPS_PROXY and HTTP_PROXY name the proxy; a host that needs none belongs in NO_PROXY',
  },
  {
    sign: failed('tls', /certificate required|bad certificate|unknown ca|handshake failure/i),
    fix: `the target may ask for a client certificate: ${clientCertificate}`,
  },
  { sign: failed('tls', /ALPN|application protocol/i), fix: 'is this an HTTP service?' },
  { sign: failed('tls', /wrong version number/i), fix: 'does the port speak plain HTTP? Then write http://' },
  {
    sign: failed('tls'),
    fix: 'give its certificate authority with --ca, or pass --insecure for a staging certificate',
  },
  { sign: failed('timeout'), fix: 'raise --timeout, or check whether a firewall drops the packets' },
  {
    sign: ({ failure }, isTls = false) => isTls && failure?.kind === 'reset',
    fix: `is this an HTTP service? One that asks for a client certificate may hang up like this: ${clientCertificate}`,
  },
  ...(['reset', 'malformed-response'] as const).map((failure) => ({
    sign: failed(failure),
    fix: 'is this an HTTP service, and is the scheme right?',
  })),
  { sign: answered(/^50[234]$/), fix: 'Is the service down behind its proxy?' },
  { sign: answered(/^[5-9]/), fix: 'Is the service running?' },
  {
    sign: isRedirect,
    statement: (seen) => `every response redirects, to ${locationOf(seen)}`,
    fix: 'Give the address behind the redirect as base URL',
  },
  {
    sign: isPage,
    statement: (seen) =>
      `the responses are ${seen.some((one) => bodyFormOf(one) === 'html') ? 'HTML pages' : 'not JSON'}`,
    fix: 'Is this another website, or a single-page application in front?',
  },
  {
    sign: answered(/^40[45]$/),
    fix: 'Is the path before /api/v1 in the base URL right, and is this the right host?',
  },
  {
    sign: answered(/^40[17]$/),
    statement: (seen) => `${everyResponse(seen)}, at public reads too`,
    fix: 'Does a gateway in front ask for credentials of its own (`headers` in the target file)?',
  },
  { sign: answered(/^403$/), fix: 'Does a firewall refuse the harness by its address or user-agent?' },
  // Responses with nothing in common.
  {
    sign: ({ failure }) => failure === undefined,
    statement: (seen) => `the responses are ${statusesOf(seen)}`,
    fix: 'Are host, base path and keys right?',
  },
];

/** Share of the exchanges that must show a sign. */
const most = 0.8;

function diagnose(seen: readonly Exchange[], isTls = false): Diagnosis | undefined {
  return diagnoses.find(
    ({ sign }) => seen.filter((exchange) => sign(exchange, isTls)).length >= seen.length * most,
  );
}

/** Why a target cannot be reached, from the last call without an answer. */
export function whyUnreachable(last: Exchange | undefined, baseUrl: string): string {
  const url = baseUrlParts(baseUrl).origin + (last?.request.path ?? '');
  const diagnosis = last && diagnose([last], url.startsWith('https:'));
  const fix = diagnosis === undefined ? '' : ` (${diagnosis.fix})`;
  return `${url} does not answer: ${last?.failure?.message ?? 'no response'}${fix}`;
}

/** Why no valid call is answered with 200 and JSON, in a sentence; undefined if one is, or nothing answered. */
export function whyWrongAddress(exchanges: readonly Exchange[], baseUrl: string): string | undefined {
  const complete = exchanges.filter((one) => one.response !== undefined && one.failure === undefined);
  const diagnosis = diagnose(complete);
  const isService =
    complete.length === 0 || complete.some((one) => one.response?.status === 200 && !isPage(one));
  if (isService || diagnosis === undefined) return undefined;
  const { statement = everyResponse, fix } = diagnosis;
  return `No valid call at ${baseUrl} is answered with 200 and JSON: ${statement(complete)}. ${fix}`;
}

/** Why no requirement on API keys can be tested, where none of the given keys is accepted anywhere. */
export const keysRefused =
  'Every API key gets 401 at every operation: the key is wrong or expired, it is written in another way here (`authorization` in the target file), or a proxy removes the Authorization header';

function everyResponse(seen: readonly Exchange[]): string {
  return `every response is ${statusesOf(seen)}`;
}

/** The statuses, and who sent them where that is known. */
function statusesOf(seen: readonly Exchange[]): string {
  const statuses = [...new Set(seen.map(({ response }) => response?.status ?? 0))].sort().join(' or ');
  const [known] = seen.flatMap((exchange) => identifyResponder(exchange) ?? []);
  return known === undefined ? statuses : `${statuses} (${known.why}, from ${known.responder.name})`;
}

function locationOf(seen: readonly Exchange[]): string {
  const redirect = seen.find((exchange) => isRedirect(exchange));
  return (redirect && headerOf(redirect, 'location')) ?? 'nowhere';
}
