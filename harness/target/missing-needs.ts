import type { Operation } from '../../spec/contract.ts';
import type { RunContext } from '../calls/run-context.ts';
import type { ActiveCheck, Case, Need } from '../checks/check.ts';
import { placeholdersIn, UNIQUE } from '../requests/placeholders.ts';

export interface MissingNeed {
  /** In words, such as `no key is known`. */
  readonly reason: string;
  /** The line of the target file that adds it. */
  readonly remedy: string;
  /** The same line as a path of keys and its value, with `…` for gaps that only the user can fill. */
  readonly line: { readonly at: readonly string[]; readonly value: string };
}

/** The need whose line stands at these keys; `says` is what the remedy shows in place of the value. */
function needOf(reason: string, at: readonly string[], value: string, says = value): MissingNeed {
  const [section, ...names] = at;
  const remedy = `${section}: ${names.reduceRight((inner, name) => `{ ${name}: ${inner} }`, says)}`;
  return { reason, remedy, line: { at, value } };
}

/** The need of a key; braces within a line need quotes. */
function keyNeed(kind: 'scoped' | 'unscoped', says: string, variable: string): MissingNeed {
  return needOf(`no key ${says} catalog:read is known`, ['keys', kind], variable, `'${variable}'`);
}

const scopedKey = keyNeed('scoped', 'with', `\${COMMERCE_KEY}`);
const unscopedKey = keyNeed('unscoped', 'without', `\${COMMERCE_KEY_UNSCOPED}`);

type Known = Pick<RunContext, 'contract' | 'known' | 'keys'>;

/** What a case lacks; told without sending anything. */
export function missingNeeds(
  context: Known,
  { check, operation }: Case<ActiveCheck>,
): readonly MissingNeed[] {
  const { keys } = context;
  const missing: Readonly<Record<Need, () => readonly MissingNeed[]>> = {
    'scoped-key': () => (keys.scoped === undefined ? [scopedKey] : []),
    'unscoped-key': () => (keys.unscoped === undefined ? [unscopedKey] : []),
    'valid-call': () => missingForCall(context, operation, new Set()),
  };
  return check.needs(operation).flatMap((need) => missing[need]());
}

function missingForCall(
  context: Known,
  operation: Operation,
  visited: ReadonlySet<string>,
): readonly MissingNeed[] {
  const { id, auth, scope, requestSchema } = operation;
  if (visited.has(id)) return [];
  const { contract, known, keys } = context;
  const ofSource = (source: string | undefined): readonly MissingNeed[] => {
    const found = source === undefined ? undefined : contract.find(source);
    return found === undefined ? [] : missingForCall(context, found, new Set([...visited, id]));
  };
  const found: MissingNeed[] = [];
  const anyKey = scope === undefined ? (keys.scoped ?? keys.unscoped) : keys.scoped;
  if (auth === 'api-key' && anyKey === undefined) found.push(scopedKey);
  for (const name of operation.pathParameters) {
    if (known.value(operation, name) !== undefined) continue;
    const from = known.capture(name)?.from ?? contract.issuerOf(name)?.id;
    const reason = `no ${name} is known that exists on the target`;
    if (from !== undefined) found.push(...ofSource(from));
    else found.push(needOf(reason, ['parameters', id, name], '…', '<one that exists>'));
  }
  const refusal = known.queryRefusals.get(id);
  if (refusal !== undefined && known.query(operation) === undefined) {
    const reason = `${id} refuses a call without query parameters${refusal && `: “${refusal}”`}`;
    found.push(needOf(reason, ['query', id], '{ … }', '{ <name>: <value> }'));
  }
  if (requestSchema === undefined) return found;
  const body = known.body(operation);
  if (body === undefined || known.refusedBodies.has(id)) {
    const says = `{ … a valid ${requestSchema} … }`;
    return [...found, needOf(`no valid body of ${id} is known`, ['bodies', id], '{ … }', says)];
  }
  const captured = placeholdersIn(body).filter((name) => name !== UNIQUE);
  return [...found, ...captured.flatMap((name) => ofSource(known.capture(name)?.from))];
}
