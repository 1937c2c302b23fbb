import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { InputFactor } from '../../harness/checks/probe-inputs.ts';
import type { Step } from '../../harness/checks/step.ts';
import { sentBody } from '../../harness/checks/vary-body.ts';
import { isOk, parseBody, statusOf } from '../../harness/evidence/answer.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import { madeRow } from '../../harness/evidence/sent-values.ts';
import { Draw } from '../../harness/fuzzing/draw.ts';
import {
  isJsonMembers,
  type JsonLeaf,
  jsonAt,
  jsonLeaves,
  withJsonAt,
  withTexts,
} from '../../harness/fuzzing/json-places.ts';
import { isNumberAsWritten } from '../../harness/fuzzing/json-text.ts';
import { sampleMutations } from '../../harness/fuzzing/mutated-json.ts';
import { nearerJson, smallerJson } from '../../harness/fuzzing/smaller-json.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import { validVariations } from '../../harness/openapi/changed-bodies.ts';
import { unlessInconclusive } from '../../harness/requests/inconclusive-error.ts';
import { likelySessionId } from '../../harness/requests/session-id.ts';
import { declaresAsItsOwn, type Operation } from '../../spec/operation.ts';
import { otherPairs } from '../resource/listed-elsewhere.ts';
import { isExcludedBody } from './body-classes.ts';
import { type BodyInput, freshBodies, keyOfBody, otherBody, parseSent } from './fresh-bodies.ts';
import { requestSchemaOf } from './request-schema.ts';
import { combinedForms, isSentence, type UnusualForm, unusualForms } from './unusual-forms.ts';

/** Forms of one body, of which each member adds a few. */
const mostForms = 160;

/** The bodies of an operation: unusual forms of the valid one, and random ones. */
export async function bodyFactor(
  client: CaseClient,
  control: Exchange,
  listing: Step,
): Promise<InputFactor<BodyInput>> {
  const bodies = await freshBodies(client, control);
  const { valid } = bodies;
  const isIncluded = ({ value }: Pick<BodyInput, 'value'>): boolean => !isExcludedBody(client, value, valid);
  const written = function* (values: Iterable<Json>, write: BodyInput['write']): Generator<BodyInput> {
    for (const value of values) if (isIncluded({ value })) yield otherBody(value, write);
  };
  const own = client.ownValues('body').map((value, at) => ({
    ...otherBody(value),
    ...{ id: `own ${at + 1}`, label: 'a body of the target file' },
  }));
  const others = [
    ...client.chosen(withAnswer(valid, control)),
    ...(await client.planned(listing, () => forOtherStores(client, listing, valid))),
  ].filter(isIncluded);
  const single = unusualForms(valid);
  const isWanted = (form: UnusualForm): boolean =>
    !client.excludes(form.class, 'body') && !client.isLeftOut('body', form.id);
  const wanted = single.filter(isWanted);
  return bodies.factor([...combinedForms(valid, single), ...single, ...others, ...own], {
    corpus: [
      ...[...combinedForms(valid, wanted).filter(isWanted), ...client.chosen(wanted)].slice(0, mostForms),
      ...others,
      ...own,
    ],
    random: () =>
      client.excludes('random', 'body')
        ? []
        : randomBodies(client, valid)
            .map((value) => otherBody(value))
            .filter(isIncluded),
    isAllowed: (exchange) => mayAnswerAnyBody(client.caseOperation, exchange, control),
    smaller: [
      // The valid body written plainly is the valid call.
      ({ value }) => [otherBody(value)].filter((plain) => keyOfBody(plain) !== keyOfBody(otherBody(valid))),
      // A long text must not be blamed for its letters.
      ({ value, write }) => written(inPlainLetters(value, valid), write),
      ({ value, write }) => written(nearerJson(value, valid), write),
      ({ value, write }) => written(smallerJson(value, valid), write),
    ],
  });
}

/** Reads each session that a body of the factor makes. */
export function thenRead(
  client: CaseClient,
  read: Step,
  factor: InputFactor<BodyInput>,
): InputFactor<BodyInput> {
  return {
    ...factor,
    send: async (step, input, ...riders) => {
      const exchange = await factor.send(step, input, ...riders);
      const sessionId = isOk(exchange) ? likelySessionId(parseBody(exchange.response?.body)) : undefined;
      if (sessionId !== undefined)
        await client.planned(read, async () => [
          await client.call(read, {
            operation: client.withRole('reads-session'),
            parameters: { sessionId },
            row: { [madeRow]: input.label },
          }),
        ]);
      return exchange;
    },
  };
}

/** A body whose other texts have as many plain letters as they had characters, or bytes. */
function inPlainLetters(value: Json, valid: Json): readonly Json[] {
  const measures = [(text: string) => [...text].length, (text: string) => Buffer.byteLength(text)];
  return measures.map((measure) =>
    jsonLeaves(value).reduce<Json>((whole, { path, value: text }) => {
      const isOther = typeof text === 'string' && !isNumberAsWritten(text) && jsonAt(valid, path) !== text;
      return isOther ? withJsonAt(whole, path, 'a'.repeat(measure(text))) : whole;
    }, value),
  );
}

/** Mutations of the valid body, and as many of its variations where a supplied document shows what else is valid. */
function randomBodies(client: CaseClient, valid: Json): readonly Json[] {
  const draw = new Draw(client.random('bodies'));
  const known = requestSchemaOf(client.document, client.caseOperation);
  const variations = known ? validVariations(known.rules, valid, known.validate) : [];
  const varied = variations.map(({ value }) => value);
  return [
    ...sampleMutations([valid], draw, client.fuzzRuns),
    ...(varied.length === 0 ? [] : sampleMutations(varied, draw, client.fuzzRuns)),
  ];
}

/**
 * Whether any body may get this response. 401 and 403 concern the key and its scopes: they are wrong only where the body
 * names the same things as the valid one, as other things may belong to others, and the operation does not verify logins.
 */
export function mayAnswerAnyBody(
  operation: Operation,
  exchange: Exchange,
  valid: Exchange | undefined,
): boolean {
  const status = statusOf(exchange) ?? 0;
  if ([200, 400, 404, 409].includes(status) || declaresAsItsOwn(operation, status)) return true;
  if (status !== 401 && status !== 403) return false;
  return operation.role === 'consumes-login' || !namesTheSame(valid, exchange);
}

function namesTheSame(valid: Exchange | undefined, exchange: Exchange): boolean {
  const known = valid && sentBody(valid);
  const sent = sentBody(exchange);
  if (known === undefined || sent === undefined) return false;
  const body = parseSent(sent.text);
  const leaves = jsonLeaves(JSON.parse(known.text) as Json);
  // A sentence names nothing.
  const isSame = ({ path, value }: JsonLeaf): boolean => jsonAt(body, path) === value || isSentence(value);
  return body !== undefined && leaves.every(isSame);
}

/** The valid body with what the service itself says in its answer, such as an id that is then taken; a service may store all of it. */
export function withAnswer(valid: Json, control: Exchange): readonly BodyInput[] {
  if (!isJsonMembers(valid)) return [];
  const said = [...leavesOf(parseBody(control.response?.body))].flatMap(([pointer, leaf]) => {
    const [, name = ''] = /^(?:\/[^/\d][^/]*)*\/([^/\d][^/]*)$/.exec(pointer) ?? [];
    return name === '' ? [] : [[name, leaf] as const];
  });
  const label = 'the members of an earlier answer besides';
  return [{ ...otherBody({ ...Object.fromEntries(said), ...valid }), id: label, label, weight: 'medium' }];
}

/** The valid body for other stores, with a product of each, where it names a store and a product. */
async function forOtherStores(client: CaseClient, step: Step, valid: Json): Promise<readonly BodyInput[]> {
  const below = client.operations.find(({ parameterKinds }) => Object.keys(parameterKinds ?? {}).length > 1);
  const known = await unlessInconclusive(() =>
    Promise.all((below?.pathParameters ?? []).map((name) => client.knownValue(name, below))),
  );
  const [store, item] = (known ?? []).map(({ value }) => value);
  const texts = [...leavesOf(valid).values()];
  if (store === undefined || item === undefined || ![store, item].every((one) => texts.includes(one)))
    return [];
  const pairs = await otherPairs(client, step, { store, item });
  // Stores and products may be entries of one table.
  return [...pairs, { store, item: store }].map((other, at) => {
    const label =
      other.item === other.store
        ? 'the store in place of its product'
        : `another store and its product (${at + 1})`;
    const value = withTexts(valid, (text) =>
      text === store ? other.store : text === item ? other.item : text,
    );
    return { ...otherBody(value), id: label, label, weight: 'medium' };
  });
}
