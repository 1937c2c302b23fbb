import type { Operation } from '../../spec/contract.ts';
import type { RunContext } from '../calls/run-context.ts';
import type { Case } from '../checks/case.ts';
import type { ActiveCheck, Need } from '../checks/check.ts';
import { placeholdersIn, UNIQUE } from '../requests/placeholders.ts';

/** Something that cases cannot do without and that is not known. */
export interface MissingNeed {
  /** In words, such as `no key is known`. */
  readonly reason: string;
  /** The line of the target file that adds it. */
  readonly remedy: string;
  /** The same line as a path of keys and what stands there, `…` for what only the user knows. */
  readonly line: { readonly at: readonly string[]; readonly value: string };
}

type Known = Pick<RunContext, 'contract' | 'known' | 'keys'>;

/** What a case lacks; told without sending anything. */
export function missingNeeds(
  context: Known,
  { check, operation }: Case<ActiveCheck>,
): readonly MissingNeed[] {
  return check.needs(operation).flatMap((need) => missing(context, need, operation));
}

function missing(context: Known, need: Need, operation: Operation): readonly MissingNeed[] {
  switch (need) {
    case 'scoped-key':
      return context.keys.scoped === undefined ? [missingKey] : [];
    case 'unscoped-key':
      return context.keys.unscoped === undefined
        ? [
            {
              reason: 'no key without catalog:read is known',
              remedy: `keys: { unscoped: ${'$'}{COMMERCE_KEY_UNSCOPED} }`,
              line: { at: ['keys', 'unscoped'], value: `${'$'}{COMMERCE_KEY_UNSCOPED}` },
            },
          ]
        : [];
    case 'valid-call':
      return missingForCall(context, operation, new Set());
  }
}

const missingKey: MissingNeed = {
  reason: 'no key with catalog:read is known',
  remedy: `keys: { scoped: ${'$'}{COMMERCE_KEY} }`,
  line: { at: ['keys', 'scoped'], value: `${'$'}{COMMERCE_KEY}` },
};

function missingForCall(
  context: Known,
  operation: Operation,
  visited: ReadonlySet<string>,
): readonly MissingNeed[] {
  if (visited.has(operation.id)) return [];
  const within = new Set([...visited, operation.id]);
  const found: MissingNeed[] = [];
  if (operation.auth === 'api-key' && context.keys.scoped === undefined) {
    if (operation.scope !== undefined || context.keys.unscoped === undefined) found.push(missingKey);
  }
  for (const name of operation.pathParameters) {
    if (context.known.value(operation, name) !== undefined) continue;
    const from = context.known.capture(name)?.from ?? context.contract.issuerOf(name)?.id;
    if (from !== undefined) found.push(...missingForSource(context, from, within));
    else {
      found.push({
        reason: `no ${name} is known that exists on the target`,
        remedy: `parameters: { ${operation.id}: { ${name}: <one that exists> } }`,
        line: { at: ['parameters', operation.id, name], value: '…' },
      });
    }
  }
  if (context.known.lacksQuery(operation)) {
    found.push({
      reason: `${operation.id} refuses a call without query parameters`,
      remedy: `query: { ${operation.id}: { <name>: <value> } }`,
      line: { at: ['query', operation.id], value: '{ … }' },
    });
  }
  if (operation.requestSchema !== undefined) {
    const body = context.known.body(operation);
    if (body === undefined) {
      found.push({
        reason: `no valid body of ${operation.id} is known`,
        remedy: `bodies: { ${operation.id}: { … a valid ${operation.requestSchema} … } }`,
        line: { at: ['bodies', operation.id], value: '{ … }' },
      });
    } else {
      for (const { name } of placeholdersIn(body)) {
        const from = context.known.capture(name)?.from;
        if (name !== UNIQUE && from !== undefined) found.push(...missingForSource(context, from, within));
      }
    }
  }
  return found;
}

function missingForSource(context: Known, id: string, visited: ReadonlySet<string>): readonly MissingNeed[] {
  const source = context.contract.find(id);
  return source === undefined ? [] : missingForCall(context, source, visited);
}
