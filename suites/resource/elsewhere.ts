import { describeAnswer, isOk, statusOf } from '../../harness/evidence/answer.ts';
import { valuesIn } from '../../harness/evidence/sent-values.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import {
  type Change,
  type Variation,
  withHeader,
  withMembers,
  withQuery,
} from '../../harness/requests/variation.ts';
import type { Operation } from '../../spec/operation.ts';
import { showsAnother } from './shows-known.ts';

/** Places outside of the path in which a call may name a resource, and in which the contract gives no name a meaning. */
const places: Readonly<Record<string, string>> = {
  query: 'in the query',
  cookie: 'in a cookie',
  header: 'in a header',
  referer: 'in the path of the Referer',
  segment: 'behind a semicolon of the segment',
  body: 'in the body',
};

/** A parameter, and a value of it in the path and elsewhere. */
interface Named {
  readonly name: string;
  /** Names of parameters for the same kind of resource, its own included. */
  readonly synonyms: readonly string[];
  readonly inPath: string;
  readonly elsewhere: string;
}

/** The names of parameters for the same kind of resource as one, its own first. */
export function synonymsOf(
  name: string,
  { parameterKinds = {} }: Operation,
  operations: readonly Operation[],
): readonly string[] {
  const kind = parameterKinds[name];
  const all = operations.flatMap((one) => Object.entries(one.parameterKinds ?? {}));
  return [...new Set([name, ...all.flatMap(([other, its]) => (its === kind ? other : []))])];
}

/** Ways to name another value of a parameter than that of the path, one for each place. */
export function waysElsewhere({ name, synonyms, inPath, elsewhere }: Named): readonly Variation[] {
  const value = encodeURIComponent(elsewhere);
  const named = `${name}=${value}`;
  const names = [...inWordsToo(synonyms, '_'), 'id'];
  const inQuery = names.map((one) => `${one}=${value}`);
  const changes: Readonly<Record<string, Change>> = {
    query: withQuery(inQuery.join('&')),
    cookie: withHeader('cookie', named),
    header: (call) => headersFor(synonyms).reduce((all, one) => withHeader(one, value)(all), call),
    referer: withHeader('referer', `https://shop.example/${value}`),
    segment: (call) => ({ ...call, rawParameters: { [name]: `${encodeURIComponent(inPath)};${named}` } }),
    body: withMembers(Object.fromEntries(names.map((one) => [one, elsewhere]))),
  };
  return Object.entries(changes).map(([id, change]) => ({
    ...{ factor: 'places', id },
    says: places[id] ?? id,
    change,
  }));
}

/** Whether a way cannot lead to another resource: a segment with a semicolon may be another. */
export function isBesideThePath({ id }: Variation): boolean {
  return ['query', 'cookie', 'header', 'referer'].includes(id);
}

/** Headers by the names of parameters, such as `store`, `x-store` and `x-session-id`. */
function headersFor(names: readonly string[]): readonly string[] {
  const all = inWordsToo(names, '-').map((name) => name.toLowerCase());
  return [...new Set(all)].flatMap((name) => [name, `x-${name}`]);
}

/** Names as they are, and with their words divided by a sign. */
function inWordsToo(names: readonly string[], sign: string): readonly string[] {
  const divided = names.map((name) => name.replaceAll(/[A-Z]/g, (letter) => sign + letter.toLowerCase()));
  return [...new Set([...names, ...divided])];
}

/** A value outside the path that overrides the one in the path. */
export function elsewhereViolation(name: string, exchange: Exchange, expected: string): Violation {
  return {
    statement: `A ${name} ${placesOf(exchange)} overrides the one in the path`,
    expected,
    actual: isOk(exchange) ? '200 with another resource' : describeAnswer(exchange),
    fix: `Read ${name} only from the path, not from parameters that a framework merges from path, query, cookies and headers.`,
    exchange,
  };
}

/** The places of a call in words. */
function placesOf(exchange: Exchange): string {
  return valuesIn(exchange, 'places')
    .map((id) => places[id] ?? id)
    .join(' and ');
}

/** Whether another value replaced the known one of the path. */
export function isReplaced(
  name: string,
  { takesIssued }: Operation,
  known: Exchange,
  one: Exchange,
): boolean {
  // The session may have ended in the meantime.
  return (statusOf(one) === 404 && takesIssued === undefined) || showsAnother(name, known, one);
}
