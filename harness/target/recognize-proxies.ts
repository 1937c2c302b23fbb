import type { RunContext } from '../calls/run-context.ts';
import { headerOf } from '../evidence/answer.ts';
import { identifyResponder } from '../evidence/identify-responder.ts';
import { type KnownResponder, nothingReported, responders } from '../evidence/responders.ts';
import type { Exchange } from '../model/exchange.ts';
import { findExclusion } from '../requests/find-exclusion.ts';
import { ask, classify } from './ask.ts';

/** A proxy, cache or firewall in front of the target, before any case runs. */
export interface RecognizedProxy {
  readonly name: string;
  /** The evidence for it. */
  readonly why: string;
  /** The findings of a run unless it is set up for JSON errors. */
  readonly expect: string;
  /** Absent if it needs no other settings. */
  readonly fix?: string;
}

/** Values that servers, proxies and firewalls refuse, by their classes. */
const refusedValues = { nul: '%00', 'not-encoded': '"<>', sql: '%27%20OR%20%271%27%3D%271' };

/** Recognizes proxies in front of a target by their headers, and by responses to values that proxies refuse. */
export async function recognizeProxies(context: RunContext): Promise<readonly RecognizedProxy[]> {
  const {
    contract,
    keys,
    target: { exclusions },
  } = context;
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
          findExclusion(exclusions, { class: name, parameter, operation: named.id })
            ? []
            : { operation: named, ...how, rawParameters: { [parameter]: raw } },
        )),
  ];
  const answers = await Promise.all(questions.map((question) => ask(context, question)));
  const exchanges = answers.flatMap(({ exchange }) => exchange ?? []);
  const found = exchanges.flatMap((exchange) => [...byHeaders(exchange), ...byRefusal(exchange)]);
  return [...new Map(found.reverse().map((one) => [one.name, one])).values()];
}

function byHeaders(exchange: Exchange): readonly RecognizedProxy[] {
  return responders.flatMap((responder) => {
    const [name, value] =
      Object.entries(responder.passing ?? {}).find(([header, pattern]) =>
        pattern.test(headerOf(exchange, header) ?? ''),
      ) ?? [];
    if (name === undefined || value === undefined) return [];
    return [recognized(responder, `${name}: ${headerOf(exchange, name)?.slice(0, 60)}`)];
  });
}

function byRefusal(exchange: Exchange): readonly RecognizedProxy[] {
  const identified = identifyResponder(exchange);
  if (classify(exchange) === 'blocked') {
    const name = identified === undefined ? 'A firewall' : `A firewall in ${identified.responder.name}`;
    return [{ name, why: identified?.why ?? 'an HTML page under 403', ...firewall }];
  }
  if (identified === undefined || identified.responder.role === 'framework') return [];
  return [recognized(identified.responder, identified.why)];
}

function recognized({ name, fix, expect }: KnownResponder, why: string): RecognizedProxy {
  if (expect === undefined) return { name, why, expect: unmeasured, fix };
  return { name, why, expect, ...(expect === nothingReported ? {} : { fix }) };
}

const firewall: Pick<RecognizedProxy, 'expect' | 'fix'> = {
  expect:
    'It blocks values that look like attacks: one root cause, which warns, with the lines that exclude them.',
  fix: 'Exempt the API from the rules, or let the firewall answer with a PublicErrorResponse body.',
};
const unmeasured = 'It may answer unusual requests itself, with a page of its own: one root cause.';
