import { Run } from '../harness/engine/run/run.ts';
import type { Json } from '../harness/model/target.ts';
import { suppliedDocument } from '../harness/target/find-bodies.ts';
import type { Preflight } from '../harness/target/preflight.ts';
import type { Survey } from '../harness/target/survey.ts';
import type { TemplateContent } from '../harness/target/target-template.ts';
import { escapeText } from '../reporters/model/wording.ts';
import type { Contract } from '../spec/contract.ts';
import { describeBodyAnswer } from './lines-to-add.ts';
import type { Settings } from './options/read-settings.ts';

/** The responses of a target, as content of its target file and as lines to print. */
export interface FoundByAsking {
  readonly content: TemplateContent;
  readonly said: readonly string[];
  /** Whether the service was found at the base URL. */
  readonly isReached: boolean;
  /** No case lacks anything. */
  readonly isComplete: boolean;
}

/** Turns the answers of a target into content for its target file; none of it is secret. */
export function describeSurvey(surveyed: SurveyedRun, { operations }: Contract): FoundByAsking {
  const { run, preflight, survey, authorization } = surveyed;
  const { unreachable, discovered } = preflight;
  if (unreachable !== undefined) {
    const said = run.context.secrets.redact(`The target did not answer: ${escapeText(unreachable)}`);
    return { content: {}, said: [said], isReached: false, isComplete: false };
  }
  const parameters = operations.flatMap(({ id, pathParameters }) => {
    const own = discovered.filter(({ operation, name }) => operation === id && pathParameters.includes(name));
    const [first] = own;
    if (first === undefined) return [];
    const values = Object.fromEntries(own.map(({ name, value }) => [name, value]));
    return [{ name: id, value: values, comment: `found in ${placeOf(first.from)}` }];
  });
  const queries = discovered.flatMap(({ operation, query, from }) =>
    query === undefined ? [] : [{ name: operation, value: query, comment: `found in ${placeOf(from)}` }],
  );
  const lacking = [...run.outlook().values()].flatMap(({ need }) => {
    const [section, operation] = need.line.at;
    return section === 'query' && operation !== undefined ? [{ name: operation, comment: need.reason }] : [];
  });
  const bodies = operations
    .filter(({ requestSchema }) => requestSchema !== undefined)
    .map(({ id, requestSchema }) => {
      const taken = discovered.find(({ operation, name }) => operation === id && name === 'body');
      const answer = survey.bodies.find(({ operation }) => operation === id);
      if (taken !== undefined) {
        const body = JSON.parse(taken.value) as Json;
        return { name: id, value: body, comment: `Made from ${taken.from}, and answered with 200.` };
      }
      if (answer?.settled === true) {
        return { name: id, value: answer.sent, comment: 'An empty object was answered with 200.' };
      }
      const said = answer === undefined ? '' : `; ${describeBodyAnswer(answer)}`;
      return { name: id, comment: run.context.secrets.redact(`A valid ${requestSchema}${said}`) };
    });
  const known = bodies.filter((body) => 'value' in body).length;
  const needed = queries.length + lacking.length;
  return {
    content: {
      ...(authorization !== undefined && { authorization }),
      parameters,
      query: [...queries, ...lacking],
      bodies,
      captures: survey.captures,
    },
    said: [
      `Sent ${run.observation.progress().traffic.requests} requests:`,
      `  keys         ${keysInWords(surveyed)}`,
      `  path values  found for ${parameters.length} operations`,
      ...(needed === 0 ? [] : [`  queries      ${queries.length} of ${needed} known`]),
      `  bodies       ${known} of ${bodies.length} known${known < bodies.length ? '; the file shows the service’s answer to the others' : ''}`,
    ].map((line) => run.context.secrets.redact(line)),
    isReached: true,
    isComplete: run.outlook().size === 0,
  };
}

/** Where a value was found, in words. */
export function placeOf(from: string): string {
  return from === suppliedDocument ? from : `the response of ${from}`;
}

function keysInWords({ run, preflight, survey, authorization }: SurveyedRun): string {
  const { scoped, unscoped } = preflight.accepts;
  const { keys } = run.context;
  if (keys.scoped === undefined && keys.unscoped === undefined)
    return 'none given: set COMMERCE_KEY and COMMERCE_KEY_UNSCOPED, and run init again with --force';
  if (scoped === false || unscoped === false) {
    const which = scoped === false && unscoped === false ? 'both' : scoped === false ? 'scoped' : 'unscoped';
    return `${which} refused in every usual format: check the keys`;
  }
  const form = authorization === undefined ? '' : `, written as ${escapeText(authorization)}`;
  const accepted = [scoped, unscoped].filter((one) => one === true).length;
  if (accepted === 0) return 'neither accepted nor refused: no keyed read is answered with 200 or 401';
  return `${accepted} accepted${form}${survey.keysAreSwapped === true ? '; only the unscoped one holds catalog:read: swap them' : ''}`;
}

/** A run that has only sent harmless reads and has no results. */
export interface SurveyedRun {
  readonly run: Run;
  readonly preflight: Preflight;
  readonly survey: Survey;
  /** The format of keys that the target takes, if it is not the one that the user gave; the run uses it. */
  readonly authorization: string | undefined;
}

/**
 * Asks the target; if it takes its keys in another format than the user gave, asks again with that format. `onOpen` is
 * called before anything is sent. Throws if a signal interrupts it. The run is closed when `use` has ended.
 */
export async function withSurvey<T>(
  settings: Settings,
  onOpen: (run: Run) => void,
  use: (surveyed: SurveyedRun) => Promise<T>,
  found?: string,
): Promise<T> {
  const run = await Run.open(settings);
  try {
    onOpen(run);
    const preflight = await run.preflight();
    const survey = await run.survey();
    if (run.context.interruption.isRequested) throw new Error('interrupted');
    const { authorization } = survey;
    if (authorization === undefined) return await use({ run, preflight, survey, authorization: found });
    await run.close();
    const target = { ...settings.target, authorization };
    return await withSurvey({ ...settings, target }, onOpen, use, authorization);
  } finally {
    await run.close();
  }
}
