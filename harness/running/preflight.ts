import type { Operation } from '../../spec/contract.ts';
import { Caller } from '../calling/caller.ts';
import type { Workbench } from '../calling/workbench.ts';
import { CannotJudge } from '../checks/cannot-judge.ts';
import type { Exchange } from '../recording/exchange.ts';
import { type Discovered, discoverValues } from './discovery.ts';

/** What is known of the target before any case runs. */
export interface Preflight {
  /** Why the target cannot be reached; undefined where it answers. */
  readonly unreachable: string | undefined;
  readonly discovered: readonly Discovered[];
  /** Whether any API-Key operation accepted the key; undefined where none is known or nothing was answered. */
  readonly accepts: { readonly scoped: boolean | undefined; readonly unscoped: boolean | undefined };
}

/** Operations tried in turn when reaching the target: one alone may be broken. */
const doors = ['getPublicBootstrap', 'listPublicCategories', 'getApiKeyIdentity'];

/** Reaches the target, tries its keys, and settles which known values are used. */
export async function runPreflight(bench: Workbench): Promise<Preflight> {
  const unreachable = await reachTarget(bench);
  if (unreachable !== undefined) {
    return { unreachable, discovered: [], accepts: { scoped: undefined, unscoped: undefined } };
  }
  const [discovered, scoped, unscoped] = await Promise.all([
    discoverValues(bench),
    accepts(bench, 'scoped'),
    accepts(bench, 'unscoped'),
  ]);
  return { unreachable: undefined, discovered, accepts: { scoped, unscoped } };
}

/** Why the target cannot be reached; undefined where it answers, whatever it answers. */
export async function reachTarget(bench: Workbench): Promise<string | undefined> {
  let last: Exchange | undefined;
  for (const id of doors) {
    const operation = operationOf(bench, id);
    const exchange = await ask(bench, operation, 'reaches the target', bench.keys.none);
    if (exchange === undefined || exchange.response !== undefined) return undefined;
    last = exchange;
    // These say that no server is there, whatever is asked for.
    const kind = exchange.failure?.kind;
    if (kind === 'name-not-found' || kind === 'refused' || kind === 'proxy' || kind === 'tls') break;
  }
  const { failure, request } = last ?? {};
  const url = new URL(bench.target.baseUrl).origin + (request?.path ?? '');
  return `${url} does not answer: ${failure?.message ?? 'nothing came back'}${hint(failure, url.startsWith('https:'))}`;
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

async function accepts(bench: Workbench, key: 'scoped' | 'unscoped'): Promise<boolean | undefined> {
  const credential = bench.keys[key];
  if (credential === undefined) return undefined;
  let isRefused = false;
  for (const id of [
    'getApiKeyIdentity',
    'getInstallationCredentialIdentity',
    'listApiKeyCatalogCategories',
  ]) {
    const exchange = await ask(
      bench,
      operationOf(bench, id),
      `tries the ${credential.description}`,
      credential,
    );
    const status = exchange?.response?.status;
    if (status === undefined) continue;
    if (status !== 401) return true;
    isRefused = true;
  }
  return isRefused ? false : undefined;
}

async function ask(
  bench: Workbench,
  operation: Operation,
  label: string,
  credential: Workbench['keys']['none'],
): Promise<Exchange | undefined> {
  const caller = new Caller(bench, 'preflight', operation, bench.part);
  try {
    return await caller.call({ role: 'preflight', label, credential });
  } catch (error) {
    if (error instanceof CannotJudge) return undefined;
    throw error;
  } finally {
    await caller.close();
  }
}

function operationOf(bench: Workbench, id: string): Operation {
  const found = bench.contract.operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`the contract has no operation ${id}`);
  return found;
}
