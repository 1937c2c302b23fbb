import { findExclusion } from '../calls/case-facts.ts';
import type { RunContext } from '../calls/run-context.ts';
import { isBlockedInFront } from '../evidence/answer.ts';
import { type Identified, identifyResponder, respondersInHeaders } from '../evidence/identify-responder.ts';
import type { DefaultBehaviour, KnownResponder } from '../evidence/responders.ts';
import type { Exchange } from '../model/exchange.ts';
import { ask } from './ask.ts';

/** A proxy, cache or firewall in front of the target, before any case runs. */
export interface RecognizedProxy {
  readonly name: string;
  readonly why: string;
  readonly expectations: readonly Expectation[];
}

/** What a run reports about a proxy, and how to avoid it. */
interface Expectation {
  readonly expect: string;
  /** Absent if it needs no other settings. */
  readonly fix?: string;
}

/** Values that servers, proxies and firewalls refuse, by their classes. */
const refusedValues = {
  nul: '%00',
  'encoded-slash': 'a%2Fb',
  'not-encoded': '"<>',
  sql: '%27%20OR%20%271%27%3D%271',
};

/** Recognizes proxies in front of a target by their headers, and by responses to values that proxies refuse. */
export async function recognizeProxies(context: RunContext): Promise<readonly RecognizedProxy[]> {
  const { contract, keys, target } = context;
  const [plain] = contract.publicReads;
  const named = contract.operations.find(
    ({ auth, pathParameters }) => auth === 'none' && pathParameters.length === 1,
  );
  const [parameter = ''] = named?.pathParameters ?? [];
  const how = { label: 'looks for proxies', credential: keys.none };
  const questions = [
    ...(plain === undefined ? [] : [{ operation: plain, ...how }]),
    ...(named === undefined
      ? []
      : Object.entries(refusedValues).flatMap(([name, raw]) =>
          findExclusion(target.exclusions, { class: name, parameter, operation: named.id })
            ? []
            : { operation: named, ...how, rawParameters: { [parameter]: raw } },
        )),
  ];
  const answers = await Promise.all(questions.map((question) => ask(context, question)));
  const exchanges = answers.flatMap(({ exchange }) => exchange ?? []);
  const found = exchanges.flatMap((exchange) => [
    ...respondersInHeaders(exchange).map((one) => recognized(one, exchanges)),
    ...byRefusal(exchange, exchanges),
  ]);
  return [...new Map(found.reverse().map((one) => [one.name, one])).values()];
}

function byRefusal(exchange: Exchange, all: readonly Exchange[]): readonly RecognizedProxy[] {
  const identified = identifyResponder(exchange);
  if (isBlockedInFront(exchange)) {
    const name = identified === undefined ? 'A firewall' : `A firewall in ${identified.responder.name}`;
    return [{ name, why: identified?.why ?? 'an HTML page under 403', expectations: [firewall] }];
  }
  if (identified === undefined || identified.responder.role === 'framework') return [];
  return [recognized(identified, all)];
}

function recognized({ responder, why }: Identified, all: readonly Exchange[]): RecognizedProxy {
  const { name, limiterByDefault, throttling } = responder;
  const limiter =
    limiterByDefault === undefined
      ? []
      : [{ expect: limiterByDefault, ...(throttling !== undefined && { fix: throttling }) }];
  return { name, why, expectations: [expectedOf(responder, all), ...limiter] };
}

function expectedOf(responder: KnownResponder, all: readonly Exchange[]): Expectation {
  const { byDefault, fix } = responder;
  if (byDefault === undefined) return { expect: unmeasured, fix };
  if (byDefault === 'nothing') return { expect: 'With its default settings, nothing is reported.' };
  const namesOf = (some: readonly DefaultBehaviour[]): string =>
    some.map(({ refuses }) => refuses).join(' and ');
  const answersTo = (shownBy: string): readonly Exchange[] =>
    all.filter(({ request }) => request.path.includes(shownBy));
  const shown = byDefault.filter(({ shownBy }) =>
    answersTo(shownBy).some((one) => identifyResponder(one)?.responder === responder),
  );
  const pageFor = (subject: string, some: readonly DefaultBehaviour[]): Expectation => ({
    expect: `${subject} answers ${namesOf(some)} with a page of its own: one root cause, which warns.`,
    fix,
  });
  if (shown.length > 0) return pageFor('It', shown);
  // Another page may come from something before it, and says nothing about its settings.
  const asked = byDefault.filter(({ shownBy }) => answersTo(shownBy).length > 0);
  const isSetUp = asked.every(({ shownBy }) =>
    answersTo(shownBy).some(
      (one) =>
        identifyResponder(one) === undefined &&
        respondersInHeaders(one).some(({ responder: shownIn }) => shownIn === responder),
    ),
  );
  if (asked.length > 0 && isSetUp)
    return { expect: `It answers ${namesOf(asked)} with no page of its own: nothing is reported.` };
  return pageFor('With its default settings, it', byDefault);
}

const firewall: Expectation = {
  expect:
    'It blocks values that look like attacks: one root cause, which warns, with the lines that exclude them.',
  fix: 'Exempt the API from the rules, or let the firewall answer with a PublicErrorResponse body.',
};
const unmeasured = 'It may answer unusual requests itself, with a page of its own: one root cause.';
