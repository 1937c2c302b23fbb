import type { Operation } from '../../spec/contract.ts';
import { baseUrlParts } from '../base-url-parts.ts';
import { harmless, provocative } from '../evidence/recognize-blocks.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CallSpec } from '../requests/call-spec.ts';
import { CaseClient } from '../requests/case-client.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';
import type { RunContext } from '../requests/run-context.ts';
import type { Discovered } from './discovered.ts';
import { discoverValues } from './discovery.ts';
import { keysRefused, wrongAddressOf } from './wrong-address.ts';

/** What is known of the target before any case runs. */
export interface Preflight {
  /** Why the target cannot be reached; undefined where it answers. */
  readonly unreachable: string | undefined;
  readonly discovered: readonly Discovered[];
  /** Whether any API-Key operation accepted the key; undefined where none is known or nothing was answered. */
  readonly accepts: { readonly scoped: boolean | undefined; readonly unscoped: boolean | undefined };
  /** Why nothing about keys can be tested; undefined where a key is accepted, or none is known. */
  readonly keysRefused?: string | undefined;
}

/** Operations tried in turn when reaching the target: one alone may be broken. */
function reachabilityOperations({ contract }: RunContext): readonly Operation[] {
  return [...contract.publicReads.slice(0, 2), ...contract.keyedReads.slice(0, 1)];
}

/** Operations that take any valid key, by which keys are tried. */
export function readsForKeys({ contract }: RunContext): readonly Operation[] {
  return contract.keyedReads.slice(0, 3);
}

/** Milliseconds after which the other operations are tried as well. */
const knockingAgain = 1_000;

/** Reaches the target, tries its keys, and settles which known values are used. */
export async function runPreflight(context: RunContext): Promise<Preflight> {
  const seen: Exchange[] = [];
  let isOver = false;
  context.recorder.subscribe((exchange) => {
    if (!isOver && exchange.case.check === 'preflight' && exchange.role === 'preflight') seen.push(exchange);
  });
  const unreachable = await reachTarget(context);
  if (unreachable !== undefined) return nothingKnown(unreachable);
  const [discovered, scoped, unscoped] = await Promise.all([
    discoverValues(context),
    accepts(context, 'scoped'),
    accepts(context, 'unscoped'),
  ]);
  await provokeFirewall(context);
  if (wrongAddressOf(seen, context.target.baseUrl) !== undefined) {
    await callOthers(context, new Set(seen.map(({ operation }) => operation)));
    const wrongAddress = wrongAddressOf(seen, context.target.baseUrl);
    if (wrongAddress !== undefined) return nothingKnown(wrongAddress);
  }
  isOver = true;
  const isRefused = [scoped, unscoped].includes(false) && ![scoped, unscoped].includes(true);
  return {
    unreachable: undefined,
    discovered,
    accepts: { scoped, unscoped },
    ...(isRefused ? { keysRefused } : {}),
  };
}

/** What every set of rules blocks in a query: markup, SQL and a path to a file. */
const attack = "q=%3Cscript%3Ealert(1)%3C/script%3E&id=1'%20OR%20'1'='1&file=../../../../etc/passwd";

const inOtherWords = 'q=linen&id=1&file=catalogue';

/**
 * Calls a public read with what looks like an attack, for the recognition of blocks. Where the answer is 403, shows that
 * the attack is the reason, and does the same at another one.
 */
async function provokeFirewall(context: RunContext): Promise<void> {
  const { contract, keys } = context;
  for (const operation of contract.publicReads.slice(0, 2)) {
    const label = 'looks for a firewall';
    const provoking = { row: provocative, query: attack };
    const provoked = await askOnce(context, operation, label, keys.none, provoking);
    if (provoked?.response?.status !== 403) return;
    const plain = { row: harmless, query: inOtherWords };
    await askOnce(context, operation, `${label}, with a harmless query`, keys.none, plain);
  }
}

function nothingKnown(unreachable: string): Preflight {
  return { unreachable, discovered: [], accepts: { scoped: undefined, unscoped: undefined } };
}

/** Calls the reads without parameters that the preflight did not need: one that is answered with 200 is enough. */
async function callOthers(context: RunContext, called: ReadonlySet<string>): Promise<void> {
  const { none, scoped, unscoped } = context.keys;
  const others = context.contract.operations.filter(
    ({ id, method, pathParameters }) => method === 'GET' && pathParameters.length === 0 && !called.has(id),
  );
  await Promise.all(
    others.map(async (operation) => {
      const credential = operation.auth === 'none' ? none : (scoped ?? unscoped);
      if (credential !== undefined) await askOnce(context, operation, 'looks for the service', credential);
    }),
  );
}

/** A call that the preflight makes only where the one before it does not suffice, or takes long. */
export interface CallInTurn {
  readonly operation: Operation;
  readonly label: string;
  readonly credential: RunContext['keys']['none'];
}

/** All calls that are made in turn: to reach the target, and to try its keys. */
export function callsInTurn(context: RunContext): readonly CallInTurn[] {
  const { none, scoped, unscoped } = context.keys;
  return [callsToReach(context, none), ...[scoped, unscoped].map((key) => callsToTry(context, key))].flat();
}

function callsToReach(context: RunContext, none: RunContext['keys']['none']): readonly CallInTurn[] {
  return reachabilityOperations(context).map((operation) => ({
    operation,
    label: 'reaches the target',
    credential: none,
  }));
}

function callsToTry(context: RunContext, key: RunContext['keys']['scoped']): readonly CallInTurn[] {
  if (key === undefined) return [];
  const label = `tries the ${key.description}`;
  return readsForKeys(context).map((operation) => ({ operation, label, credential: key }));
}

/** Why the target cannot be reached; undefined where it answers, whatever it answers. */
export async function reachTarget(
  context: RunContext,
  how: Pick<CallSpec, 'urgent'> = {},
): Promise<string | undefined> {
  const exchanges = await askInTurn(
    callsToReach(context, context.keys.none),
    ({ operation, label, credential }) => askOnce(context, operation, label, credential, how),
    (exchange) => exchange === undefined || isAnswered(exchange) || isNobodyThere(exchange),
  );
  if (exchanges.some((exchange) => exchange === undefined || isAnswered(exchange))) return undefined;
  const { failure, request } = exchanges.at(-1) ?? {};
  const url = baseUrlParts(context.target.baseUrl).origin + (request?.path ?? '');
  return `${url} does not answer: ${failure?.message ?? 'nothing came back'}${hint(failure, url.startsWith('https:'))}`;
}

/** What is wrong with an answer, its checks say; but one that is cut off, or never ends, is none. */
function isAnswered({ response, failure }: Exchange): boolean {
  return response !== undefined && (failure === undefined || failure.kind === 'malformed-response');
}

/** These say that no server is there, whatever is asked for. */
function isNobodyThere({ failure }: Exchange): boolean {
  const kinds: ReadonlyArray<string | undefined> = ['name-not-found', 'refused', 'proxy', 'tls'];
  return kinds.includes(failure?.kind);
}

/** Asks the first; where that does not suffice, or takes long, the others as well. Gives what came back until then. */
async function askInTurn<T>(
  calls: readonly CallInTurn[],
  askOne: (call: CallInTurn) => Promise<T>,
  suffices: (answer: T) => boolean,
): Promise<readonly T[]> {
  const [first, ...others] = calls;
  if (first === undefined) return [];
  const answers: T[] = [];
  const asked = askOne(first).then((answer) => answers.push(answer));
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    asked,
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, knockingAgain);
    }),
  ]);
  clearTimeout(timer);
  if (answers.some(suffices)) return answers;
  await new Promise<void>((resolve, reject) => {
    const all = [asked, ...others.map((call) => askOne(call).then((answer) => answers.push(answer)))].map(
      (one) =>
        one.then(() => {
          if (answers.some(suffices)) resolve();
        }),
    );
    Promise.all(all).then(() => resolve(), reject);
  });
  return answers;
}

function hint(failure: Exchange['failure'], isTls: boolean): string {
  switch (failure?.kind) {
    case 'name-not-found':
      return ' (is the host name right, and known to this network?)';
    case 'refused':
      return ' (is the service running, and is the port right?)';
    case 'proxy':
      return ' (HTTPS_PROXY and HTTP_PROXY name the proxy; a host that needs none belongs in NO_PROXY)';
    case 'tls':
      return hintOfTls(failure.message);
    case 'timeout':
      return ' (raise --timeout, or see whether a firewall drops the packets)';
    case 'malformed-response':
    case 'reset':
      return isTls && failure.kind === 'reset'
        ? ` (is this an HTTP service? One that asks for a client certificate may hang up so: ${clientCertificate})`
        : ' (is this an HTTP service, and is the scheme right?)';
    default:
      return '';
  }
}

const clientCertificate = 'give one that it trusts with --client-cert and --client-key';

function hintOfTls(message: string): string {
  if (/certificate required|bad certificate|unknown ca|handshake failure/i.test(message)) {
    return ` (the target may ask for a client certificate: ${clientCertificate})`;
  }
  if (/ALPN|application protocol/i.test(message)) return ' (is this an HTTP service?)';
  return ' (give its certificate authority with --ca, or pass --insecure for a staging certificate)';
}

async function accepts(context: RunContext, key: 'scoped' | 'unscoped'): Promise<boolean | undefined> {
  const exchanges = await askInTurn(
    callsToTry(context, context.keys[key]),
    ({ operation, label, credential }) => askOnce(context, operation, label, credential),
    (exchange) => ![undefined, 401].includes(exchange?.response?.status),
  );
  const statuses = exchanges.flatMap((exchange) => exchange?.response?.status ?? []);
  // A 403 is about what the key may do; a 404 or an error says nothing about the key.
  if (statuses.some((status) => status === 200 || status === 403)) return true;
  return statuses.length > 0 && statuses.every((status) => status === 401) ? false : undefined;
}

/** One call outside of any case; undefined where it could not be made. */
export async function askOnce(
  context: RunContext,
  operation: Operation,
  label: string,
  credential: RunContext['keys']['none'],
  how: Pick<CallSpec, 'urgent' | 'parameters' | 'rawParameters' | 'query' | 'row'> = {},
): Promise<Exchange | undefined> {
  const client = new CaseClient(context, 'preflight', operation, context.part);
  try {
    return await client.call({ role: 'preflight', label, credential, ...how });
  } catch (error) {
    if (error instanceof InconclusiveError) return undefined;
    throw error;
  } finally {
    await client.close();
  }
}
