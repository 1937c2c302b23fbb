import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { Input, InputFactor } from '../../harness/checks/probe-inputs.ts';
import { isEndedAsMalformed, statusOf } from '../../harness/evidence/answer.ts';
import {
  isMalformed,
  isNotEncoded,
  isStructural,
  mayBeReadAs,
  tokensOf,
} from '../../harness/fuzzing/path-segment.ts';
import { smallerSequences } from '../../harness/fuzzing/reduce.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { pathFactor } from '../../harness/requests/noticed-values.ts';
import { declaresAsItsOwn, isSafe, type Operation } from '../../spec/operation.ts';
import { isExplainedBy, plainToken } from './path-value-cause.ts';
import { corpusOf, encodedKnown, isOfKind, pathValues } from './path-values.ts';
import { randomPathValues } from './random-path-values.ts';

/** Random values under way at once. */
const atOnce = 8;

/** A value as it goes out. */
interface SentValue extends Input {
  readonly raw: string;
}

/** The values of one path parameter. */
export function pathValueFactor(
  client: CaseClient,
  name: string,
  control: Exchange | undefined,
): InputFactor<SentValue> {
  const operation = client.caseOperation;
  const all = client.operations.flatMap(({ id, pathParameters }) =>
    pathParameters.map((one) => `${id} ${one}`),
  );
  const used = control?.request.values ?? {};
  const others = Object.fromEntries(Object.entries(used).map(([other, { value }]) => [other, value]));
  const known = encodeURIComponent(used[name]?.value ?? 'conformance');
  const excluded = pathValues.filter((value) => client.excludes(value.class, name));
  const isExcluded = (raw: string): boolean => excluded.some((kind) => isOfKind(raw, kind, known));
  const named = (id: string, what: string, raw: string): SentValue => ({
    id,
    label: `${name}: ${what}`,
    raw,
  });
  const isAllowed = (exchange: Exchange, { raw }: SentValue): boolean =>
    isAllowedAnswer(operation, { raw, known, exchange });
  return {
    name: pathFactor,
    atOnce,
    corpus: [
      ...corpusOf(
        pathValues.filter((value) => !excluded.includes(value) && !client.isLeftOut(pathFactor, value.id)),
        client.turn(all.indexOf(`${operation.id} ${name}`)),
      ).map((value) => ({ ...value, ...named(value.id, value.label, value.raw(known, name)) })),
      ...client
        .ownValues(name)
        .map((value, at) =>
          named(`own ${at + 1}`, 'a value of the target file', encodeURIComponent(String(value))),
        ),
    ].filter(({ raw }) => raw !== known),
    *random() {
      if (client.fuzzRuns === 0 || client.excludes('random', name)) return;
      let left = client.fuzzRuns;
      for (const raw of randomPathValues(Math.floor(client.random(name)() * 2 ** 31), known)) {
        if (isExcluded(raw)) continue;
        yield named('random', 'random value', raw);
        left -= 1;
        if (left === 0) return;
      }
    },
    send: (step, input, riders) => {
      const { id, label, raw } = input;
      const isOfKnown = id === encodedKnown;
      // What servers refuse before they look it up, they answer in many ways.
      const isSentAlone = isOfKnown || isRefusedEarly(raw) || !isSafe(operation);
      const neutral = riders ?? (isSentAlone ? [] : undefined);
      return client.call(step, {
        label,
        row: { [name]: id },
        parameters: others,
        rawParameters: { [name]: raw },
        placeholders: true,
        // A server may leave a connection on which it met something else than HTTP.
        ...(isNotEncoded(raw) && { connection: 'fresh' as const }),
        ...(neutral && { neutral }),
        isOrdinary: (exchange) => !isOfKnown && isAllowed(exchange, input),
      });
    },
    isAllowed,
    settles: (exchange) => statusOf(exchange) === 404,
    repeated: ({ label, row, request: { values } }) => {
      const [id, sent] = [row?.[name], values[name]];
      if (id === undefined || sent?.source !== 'generated') return undefined;
      // This attempt may have another session than the earlier one, and a replay another slug.
      const encoded = pathValues.find((value) => value.id === encodedKnown && value.id === id)?.raw(known);
      const before = client.earlierControl?.request.values[name]?.value;
      const raw = encoded ?? (before ? sent.value.replaceAll(encodeURIComponent(before), known) : sent.value);
      return { id: String(id), label, raw };
    },
    sizeOf: ({ raw }) => tokensOf(raw).length,
    isPlain: ({ raw }) => raw === plainToken,
    isExplained: ({ raw }, smallest) => isExplainedBy(raw, smallest.raw),
    keyOf: ({ raw }) => raw,
    smaller: [
      function* ({ raw: start }) {
        for (const tokens of smallerSequences(tokensOf(start), () => plainToken)) {
          const raw = tokens.join('');
          if (raw === '' || raw === known || isExcluded(raw)) continue;
          // A plain value does not become one that may be routed elsewhere.
          if (isStructural(raw) && !isStructural(start)) continue;
          if (isMalformed(raw) && !isMalformed(start)) continue;
          yield named('smaller', 'smaller value', raw);
        }
      },
    ],
  };
}

/** Whether servers and proxies may refuse the value before it is looked up, or lead it to another route. */
function isRefusedEarly(raw: string): boolean {
  return isStructural(raw) || isMalformed(raw) || /%(?:[01][0-9a-f]|7f)/i.test(raw);
}

/**
 * Whether a path value may get this response. A value that the grammar does not allow may be refused in any way, and a
 * value that names no resource may lead to any route; neither may break the target.
 */
export function isAllowedAnswer(
  operation: Operation,
  { raw, known, exchange }: { readonly raw: string; readonly known: string; readonly exchange: Exchange },
): boolean {
  const status = statusOf(exchange);
  // The value was taken for a path in the file system.
  const { response } = exchange;
  if (response?.status === 200 && systemFiles.test(response.body.text)) return false;
  // After normalisation, the URL may be that of another route.
  if (isStructural(raw)) return status !== undefined && status < 500;
  if (isMalformed(raw))
    return (
      isEndedAsMalformed(exchange) ||
      status === 200 ||
      (status !== undefined && status >= 300 && status < 500)
    );
  if (status === 409) return operation.role === 'ends-session' && mayBeReadAs(raw, known);
  if (status === undefined) return false;
  return [200, 400, 404].includes(status) || declaresAsItsOwn(operation, status);
}

/** Content of files that every system of a family has, which no service publishes. */
const systemFiles = /^root:[^:\n]*:0:0:|^\[(?:boot loader|fonts|extensions)\]\s*$/m;
