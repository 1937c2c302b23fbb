import type { Operation } from '../../spec/contract.ts';
import { findExclusion } from '../calls/case-facts.ts';
import type { RunContext } from '../calls/run-context.ts';
import { harmless, provocative } from '../evidence/recorder.ts';
import type { Exchange } from '../model/exchange.ts';
import { type Answer, ask, askInTurn, type Question } from './ask.ts';
import { keysRefused, whyUnreachable, whyWrongAddress } from './diagnoses.ts';
import { type Discovered, discoverValues } from './discovery.ts';

/** What the harness knows of the target before any case runs. */
export interface Preflight {
  /** Why the target cannot be reached; undefined where it answers. */
  readonly unreachable: string | undefined;
  readonly discovered: readonly Discovered[];
  /** Whether any API-Key operation accepted the key; undefined where none is known or nothing was answered. */
  readonly accepts: { readonly scoped: boolean | undefined; readonly unscoped: boolean | undefined };
  /** Why nothing about keys can be tested; undefined where a key is accepted, or none is known. */
  readonly keysRefused?: string | undefined;
}

/** Operations that take any valid key, by which keys are tried. */
export function readsForKeys({ contract }: RunContext): readonly Operation[] {
  return contract.keyedReads.slice(0, 3);
}

/** Reaches the target, tries its keys, and settles which known values are used. */
export async function runPreflight(context: RunContext): Promise<Preflight> {
  const seen: Exchange[] = [];
  let isOver = false;
  context.recorder.on('exchange', (exchange) => {
    if (!isOver && exchange.case.check === 'preflight' && exchange.role === 'preflight') seen.push(exchange);
  });
  const unreachable = await reachTarget(context);
  if (unreachable !== undefined) return nothingKnown(unreachable);
  // The key that tells more comes first: what a cache shows of it to the other key, the checks of identities recognise.
  const acceptsEach = async (): Promise<readonly (boolean | undefined)[]> => [
    await accepts(context, 'scoped'),
    await accepts(context, 'unscoped'),
  ];
  const [discovered, [scoped, unscoped]] = await Promise.all([discoverValues(context), acceptsEach()]);
  await provokeFirewall(context);
  if (whyWrongAddress(seen, context.target.baseUrl) !== undefined) {
    await callOthers(context, new Set(seen.map(({ operation }) => operation)));
    const wrongAddress = whyWrongAddress(seen, context.target.baseUrl);
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

function nothingKnown(unreachable: string): Preflight {
  return { unreachable, discovered: [], accepts: { scoped: undefined, unscoped: undefined } };
}

/** The questions that reach the target and try its keys, each asked only if the one before takes long or does not suffice. */
export function questionsInTurn(context: RunContext): readonly Question[] {
  const ofKeys = (['scoped', 'unscoped'] as const).flatMap((key) => questionsToTry(context, key));
  return [...questionsToReach(context), ...ofKeys];
}

function questionsToReach({ contract, keys }: RunContext): readonly Question[] {
  const operations = [...contract.publicReads.slice(0, 2), ...contract.keyedReads.slice(0, 1)];
  return operations.map((operation) => ({ operation, label: 'reaches the target', credential: keys.none }));
}

function questionsToTry(context: RunContext, key: 'scoped' | 'unscoped'): readonly Question[] {
  const credential = context.keys[key];
  if (credential === undefined) return [];
  const label = `tries the ${credential.description}`;
  return readsForKeys(context).map((operation) => ({ operation, label, credential }));
}

/** Why the target cannot be reached; undefined for any answer. */
export async function reachTarget(
  context: RunContext,
  how: Pick<Question, 'urgent'> = {},
): Promise<string | undefined> {
  const questions = questionsToReach(context).map((question) => ({ ...question, ...how }));
  // A response that is cut off or never ends is none; checks report a malformed one.
  const isReached = ({ exchange }: Answer): boolean =>
    exchange === undefined ||
    (exchange.response !== undefined &&
      (exchange.failure?.kind ?? 'malformed-response') === 'malformed-response');
  const isKnown = (answer: Answer): boolean => isReached(answer) || showsNobody(answer);
  const answers = await askInTurn(context, questions, isKnown);
  if (answers.some(isReached)) return undefined;
  return whyUnreachable(answers.at(-1)?.exchange, context.target.baseUrl);
}

/** Whether a failure shows that no server is there for any question. */
function showsNobody({ exchange }: Answer): boolean {
  return ['name-not-found', 'refused', 'proxy', 'tls'].includes(exchange?.failure?.kind ?? '');
}

async function accepts(context: RunContext, key: 'scoped' | 'unscoped'): Promise<boolean | undefined> {
  const isTelling = ({ status }: Answer): boolean => status !== undefined && status !== 401;
  const answers = await askInTurn(context, questionsToTry(context, key), isTelling);
  const statuses = answers.flatMap(({ status }) => status ?? []);
  // A 403 is about the permissions of the key; a 404 or an error says nothing about the key.
  if (statuses.some((status) => status === 200 || status === 403)) return true;
  return statuses.length > 0 && statuses.every((status) => status === 401) ? false : undefined;
}

/** Parameters of a query that every firewall blocks, by the class of their values. */
const attacks = {
  markup: 'q=%3Cscript%3Ealert(1)%3C/script%3E',
  sql: "id=1'%20OR%20'1'='1",
  traversal: 'file=../../../../etc/passwd',
};

const inOtherWords = 'q=linen&id=1&file=catalogue';

/** Sends a query that looks like an attack; after a 403, shows that the query is the reason. */
async function provokeFirewall(context: RunContext): Promise<void> {
  const credential = context.keys.none;
  for (const operation of context.contract.publicReads.slice(0, 2)) {
    const label = 'looks for a firewall';
    const query = attackOn(operation, context);
    if (query === '') return;
    const provoked = await ask(context, { operation, label, credential, row: provocative, query });
    if (provoked.status !== 403) return;
    const other = `${label}, with a harmless query`;
    await ask(context, { operation, label: other, credential, row: harmless, query: inOtherWords });
  }
}

/** The attack without what the target file excludes. */
function attackOn({ id }: Operation, { target: { exclusions } }: RunContext): string {
  const place = { parameter: 'query', operation: id };
  const sent = Object.entries(attacks).filter(
    ([name]) => findExclusion(exclusions, { class: name, ...place }) === undefined,
  );
  return sent.map(([, query]) => query).join('&');
}

/** Calls the other reads without parameters; one 200 proves the address right. */
async function callOthers(context: RunContext, called: ReadonlySet<string>): Promise<void> {
  const { none, scoped, unscoped } = context.keys;
  const others = context.contract.operations.filter(
    ({ id, method, pathParameters }) => method === 'GET' && pathParameters.length === 0 && !called.has(id),
  );
  const label = 'looks for the service';
  await Promise.all(
    others.map(async (operation) => {
      const credential = operation.auth === 'none' ? none : (scoped ?? unscoped);
      if (credential !== undefined) await ask(context, { operation, label, credential });
    }),
  );
}
