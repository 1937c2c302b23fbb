import type { Operation, OperationRole, ResourceKind } from '../../spec/operation.ts';
import type { RunContext } from '../calls/run-context.ts';
import type { DiscoveredValue } from '../model/report.ts';
import { compileDocument } from '../openapi/compile-document.ts';
import { type RequiredQueryParameter, requiredQuery, suggestedParameter } from '../openapi/example-values.ts';
import { ask } from './ask.ts';
import { resolveBodies, suppliedDocument } from './find-bodies.ts';
import { likelyIdentifiers, resourceNamed, searchWords } from './likely-identifiers.ts';

/** A value that was found on the target and shown to work. */
export interface Discovered extends DiscoveredValue {
  readonly operation: string;
  /** The query parameters by name, where `value` is a query. */
  readonly query?: Readonly<Record<string, string>>;
}

/** A query, or a part of one, and where its values are from. */
type FoundQuery = Required<Pick<Discovered, 'query' | 'from'>>;

const triesValue = 'tries a known value';

/** Maximum tries for one operation until its parameters count as unknown. */
const triesPerOperation = 8;

/** Operations whose responses name products and merchants, those that name most first. */
const listings: readonly OperationRole[] = ['lists-products', 'searches-products', 'mentions-resources'];

/**
 * Settles query parameters, then path parameters: the first value of the user that is answered with 200, or else such a
 * value from a listing. A user's value that never works stays, because the user says that it exists. Last come the bodies
 * that only a supplied document knows, which use the values found.
 */
export async function discoverValues(context: RunContext): Promise<readonly Discovered[]> {
  const listed = listingsOf(context);
  const found: Discovered[] = [...(await resolveQueries(context, listed))];
  for (const operation of context.contract.operations) {
    const names = operation.pathParameters.filter((name) => context.contract.issuerOf(name) === undefined);
    if (names.length === 0) continue;
    for (const { name, value, from } of await settle(context, listed, operation, names)) {
      const source = from === undefined ? 'target-file' : 'discovered';
      context.known.settle(operation, name, { value, source });
      if (from !== undefined) found.push({ operation: operation.id, name, value, from });
    }
  }
  found.push(...(await resolveBodies(context)));
  return found;
}

/**
 * Settles the query parameters that a supplied document requires and the user did not give: the first choice that is
 * answered with 200, or else the first that is not refused. A choice refused with 400 stays unknown, because the document
 * may describe the value in prose.
 */
async function resolveQueries(context: RunContext, listed: Listings): Promise<readonly Discovered[]> {
  const { document, contract, known } = context;
  if (document === undefined) return [];
  const compiled = compileDocument(document);
  const found: Discovered[] = [];
  for (const operation of contract.operations) {
    if (operation.queryNotShown !== true || known.query(operation) !== undefined) continue;
    const required = requiredQuery(compiled, operation);
    if (required.length === 0) continue;
    const values = await Promise.all(required.map((one) => queryValues(operation, listed, one)));
    let settled: FoundQuery | undefined;
    for (const choice of combinations(values).slice(0, triesPerOperation)) {
      const query = Object.assign({}, ...choice.map((one) => one.query)) as FoundQuery['query'];
      const from = choice.find((one) => one.from !== suppliedDocument)?.from ?? suppliedDocument;
      known.foundQueries.set(operation.id, query);
      const { status } = await ask(context, { operation, label: triesValue });
      if (status !== 400) settled ??= { query, from };
      if (status !== 200) continue;
      settled = { query, from };
      break;
    }
    known.foundQueries.delete(operation.id);
    if (settled === undefined) continue;
    known.foundQueries.set(operation.id, settled.query);
    const value = new URLSearchParams(settled.query).toString();
    found.push({ operation: operation.id, name: 'query', value, from: settled.from, query: settled.query });
  }
  return found;
}

/** Queries that carry a parameter, the likeliest first. */
async function queryValues(
  { role }: Operation,
  listed: Listings,
  { name, given, madeUp, write }: RequiredQueryParameter,
): Promise<readonly FoundQuery[]> {
  const written = (values: readonly unknown[], from: string): readonly FoundQuery[] =>
    values.flatMap((value) => {
      const query = write(value);
      return query === undefined ? [] : [{ query, from }];
    });
  const ofDocument = written(given, suppliedDocument);
  if (ofDocument.length > 0) return ofDocument;
  const kind = resourceNamed(name);
  const words = kind === undefined && role === 'searches-products' ? await listed.words() : [];
  const listings = [...(await listed.candidates(kind)), ...words];
  return [
    ...listings.flatMap(({ value, from }) => written([value, [value]], from)),
    ...written(madeUp, suppliedDocument),
  ];
}

/** A value for a path parameter; one of the user is from nowhere. */
interface NamedCandidate extends Pick<Discovered, 'name' | 'value'> {
  readonly from: string | undefined;
}

/** The values that work for these path parameters; none if the user's single values are used, or nothing works. */
async function settle(
  context: RunContext,
  listed: Listings,
  operation: Operation,
  names: readonly string[],
): Promise<readonly NamedCandidate[]> {
  const given = names.map((name) =>
    context.known.candidates(operation, name).map((value) => ({ name, value, from: undefined })),
  );
  // There is no choice between single values of the user; the cases show whether they work.
  if (given.every((candidates) => candidates.length === 1)) return [];
  let tries = 0;
  const firstThatWorks = async (
    lists: ReadonlyArray<readonly NamedCandidate[]>,
    mostTries: number,
  ): Promise<readonly NamedCandidate[] | undefined> => {
    for (const choice of combinations(lists)) {
      if (tries >= mostTries) return undefined;
      tries += 1;
      const parameters = Object.fromEntries(choice.map(({ name, value }) => [name, value]));
      if ((await ask(context, { operation, label: triesValue, parameters })).status === 200) return choice;
    }
    return undefined;
  };
  const working = await firstThatWorks(given, triesPerOperation);
  if (working !== undefined || given.every((candidates) => candidates.length > 0)) return working ?? [];
  const wanted = names.map(async (name, at): Promise<readonly NamedCandidate[]> => {
    const own = given[at] ?? [];
    if (own.length > 0) return own;
    const example =
      context.document && suggestedParameter(compileDocument(context.document), operation, name);
    return [
      ...(example === undefined ? [] : [{ name, value: example, from: suppliedDocument }]),
      ...(await listed.candidates(operation.parameterKinds?.[name])).map((one) => ({ name, ...one })),
    ];
  });
  return (await firstThatWorks(await Promise.all(wanted), triesPerOperation * 2)) ?? [];
}

/** One of each list, those with early members first. */
function combinations<T>(lists: ReadonlyArray<readonly T[]>): ReadonlyArray<readonly T[]> {
  const [first, ...others] = lists;
  if (first === undefined) return [[]];
  const rest = combinations(others);
  return first
    .flatMap((candidate, at) =>
      rest.map((choice, behind) => ({ choice: [candidate, ...choice], rank: at + behind })),
    )
    .sort((a, b) => a.rank - b.rank)
    .map(({ choice }) => choice);
}

/** A value in a listing, and the operation that listed it. */
type Listed = Pick<Discovered, 'value' | 'from'>;

/** The listings of the target, requested once and only if something is missing. */
function listingsOf(context: RunContext) {
  const list = async (operation: Operation): Promise<{ operation: Operation; body: unknown }> => {
    const { body } = await ask(context, { operation, label: 'lists what there is' });
    return { operation, body };
  };
  let answers: ReturnType<typeof list>[] | undefined;

  const inAnswers = async (
    find: (body: unknown, from: Operation) => readonly string[],
  ): Promise<readonly Listed[]> => {
    answers ??= context.contract.withRoles(...listings).map(list);
    const all = (await Promise.all(answers)).flatMap(({ operation, body }) =>
      find(body, operation).map((value) => ({ value, from: operation.id })),
    );
    const seen = new Set<string>();
    return all.filter(({ value }) => !seen.has(value) && seen.add(value)).slice(0, triesPerOperation);
  };

  return {
    /** None for a parameter of unknown kind: a value of another kind would be a wrong guess. */
    candidates: async (kind: ResourceKind | undefined): Promise<readonly Listed[]> =>
      kind === undefined ? [] : inAnswers((body) => likelyIdentifiers(body, kind)),
    /** Words from names of products, which a search should find. */
    words: () => inAnswers((body, { role }) => (role === 'mentions-resources' ? [] : searchWords(body))),
  };
}

type Listings = ReturnType<typeof listingsOf>;
