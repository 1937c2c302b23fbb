import { setTimeout as wait } from 'node:timers/promises';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { errorBodyFault } from '../../harness/checks/json-fault.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { isConflict, steadyControl } from '../../harness/checks/steady-control.ts';
import { sentBody } from '../../harness/checks/vary-body.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { jsonAt, jsonLeaves } from '../../harness/fuzzing/json-places.ts';
import { sampleMutations } from '../../harness/fuzzing/mutated-json.ts';
import { sampleSchema } from '../../harness/fuzzing/schema-arbitrary.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import { compileDocument } from '../../harness/openapi/compile-document.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { declaresAsItsOwn, type Operation } from '../../spec/operation.ts';
import { FreshBodies, type WritableBody } from './fresh-bodies.ts';
import { reduceBody } from './reduce-body.ts';
import { plainBody, type UnusualForm, unusualForms } from './unusual-forms.ts';

/** Random bodies from which on the rarer odd forms are sent as well. */
const thoroughRuns = 32;
/** Bodies without any answer after which the rest are left: each may take the whole time-out. */
const silencesEndured = 3;
/** Milliseconds between the calls by which a target that broke down is seen to recover. */
const recoveryMs = 700;
/** Findings that one case reports at the most. */
const mostFindings = 5;
/** Requests for making the bodies of one case smaller, and those for one of them. */
const mostReductions = 80;
const mostForOne = 60;
const unusualFormsOfOneBody = unusualForms({}).length;

/** What stands for a body that is not one of the odd forms: a finding is the same whichever was found first. */
const otherLabel = 'another body';

const check: ActiveCheck = {
  kind: 'active',
  last: true,
  requirement: 'STATUS-1',
  title: 'whatever body is sent with good credentials, the answer is 200, 400, 404 or 409',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  needs: () => ['valid-call'],
  requests: () => 1 + unusualFormsOfOneBody,
  randomInputs: (_operation, fuzzRuns) => 2 * fuzzRuns,
  probe: async (client, operation) => {
    const { exchange, missing } = await steadyControl(client, operation, { label: 'valid call' });
    if (missing !== undefined || exchange === undefined) throw missing;
    const bodies = await FreshBodies.after(client, operation, exchange);
    if (client.earlier.length > 0) await sendAgain(client, bodies, exchange);
    else await sendAll(client, bodies, exchange);
  },
  evaluate: ({ operation, exchanges, omittedCount = 0 }) => {
    const known = exchanges.findLast(({ role }) => role === 'control');
    const isControlled = known !== undefined && statusOf(known) === 200;
    const sent = exchanges.filter(({ role }) => role === 'probe' || role === 'reduction');
    if (sent.length === 0) return inconclusive('no call with another body was made');
    const wrong = lastOfEach(sent).filter((exchange) => !isAllowed(operation, exchange, known));
    const causes = new Map<string, Exchange[]>();
    for (const exchange of wrong) {
      const answer = describeAnswer(exchange);
      causes.set(answer, [...(causes.get(answer) ?? []), exchange]);
    }
    const standing = [...causes]
      .filter(([answer, [first]]) => {
        const status = first && statusOf(first);
        if (status !== undefined && !operation.statuses.includes(status)) return true;
        return isControlled && isWitnessed(answer, exchanges);
      })
      .slice(0, mostFindings);
    const violations = standing.flatMap(([, relatedExchanges]) => violationOf(relatedExchanges));
    return violatedOr(violations, () => {
      if (known === undefined) return inconclusive('no valid call could be made');
      if (!isControlled) {
        const reason = `the valid call was answered ${describeAnswer(known)}`;
        return { outcome: 'inconclusive', reason, transient: isConflict(known) };
      }
      const [first] = wrong;
      if (first === undefined) {
        return pass(`answered 200, 400, 404 or 409 for ${sent.length + omittedCount} other bodies`);
      }
      return {
        outcome: 'inconclusive',
        reason: `after a body was answered ${describeAnswer(first)}, so was the valid call`,
        remedy: 'let the address of the harness through whatever guards the target',
        transient: true,
      };
    });
  },
};

export default check;

interface Sent extends WritableBody {
  readonly label: string;
  /** Told what it was answered. */
  readonly learn?: (answer: string) => void;
}

/**
 * The odd forms, then random ones; the first with each wrong answer is confirmed and made smaller. So is what is refused
 * without a proper error body, for the passive check that reports it by the smallest request.
 */
async function sendAll(client: CaseClient, bodies: FreshBodies, control: Exchange): Promise<void> {
  const operation = client.operation(control.operation);
  const found = new Map<string, Sent>();
  const flawed = new Map<string, Sent>();
  const common = new Set<string>();
  let silences = 0;
  for await (const form of bodiesToSend(client, operation, bodies.valid)) {
    let exchange = await bodies.call('probe', form.label, form);
    form.learn?.(describeAnswer(exchange));
    if (statusOf(control) !== 200) continue;
    if (isAllowed(operation, exchange, control)) {
      const flaw = flawOf(exchange);
      if (flaw === undefined) continue;
      if (sentBody(exchange)?.text === '{}') common.add(flaw);
      if (!flawed.has(flaw)) flawed.set(flaw, form);
      continue;
    }
    const answer = describeAnswer(exchange);
    if (!found.has(answer)) {
      const tries = await triesUntilAnswered(client, againLabel(answer));
      if (tries === undefined) return;
      // The target was out for a while: whether over this body, a second time will show.
      if (tries > 1) exchange = await bodies.call('probe', form.label, form);
      if (describeAnswer(exchange) === answer) found.set(answer, form);
    }
    if (statusOf(exchange) === undefined) silences += 1;
    if (silences === silencesEndured) break;
  }
  let left = mostReductions;
  const reduceWhere = async (form: Sent, isSimilar: (exchange: Exchange) => boolean): Promise<void> => {
    if (left === 0 || !client.hasRoom) return;
    left -= await reduceBody(form, bodies.valid, {
      budget: Math.min(left, mostForOne),
      stillFails: async (smaller) =>
        client.hasRoom && isSimilar(await bodies.call('reduction', otherLabel, smaller)),
    });
  };
  for (const [answer, form] of found) {
    if (answer.includes('timeout')) continue;
    await reduceWhere(
      form,
      (exchange) => describeAnswer(exchange) === answer && !isAllowed(operation, exchange, control),
    );
  }
  for (const [flaw, form] of flawed) {
    // A flaw of all errors is shown by any of them.
    if (!common.has(flaw)) await reduceWhere(form, (exchange) => flawOf(exchange) === flaw);
  }
}

/** What is wrong with an error answer, for telling such answers apart; undefined where nothing is. */
function flawOf(exchange: Exchange): string | undefined {
  const fault = errorBodyFault(exchange);
  return fault && `${statusOf(exchange)} with ${fault}`;
}

async function* bodiesToSend(client: CaseClient, operation: Operation, valid: Json): AsyncGenerator<Sent> {
  for (const { class: name, what, value, write } of formsFor(client, valid)) {
    if (!client.excludes(name, 'body')) yield { label: what, value, write };
  }
  if (client.excludes('random', 'body')) return;
  const inputs = client.randomInputs('body');
  try {
    for (const value of randomBodies(client, operation, valid)) {
      if ((await inputs.grant(1)) === 0) return;
      yield { label: otherLabel, value, write: plainBody, learn: inputs.learn.bind(inputs) };
    }
  } finally {
    inputs.close();
  }
}

/** Forms that break few services are worth their requests only where more random bodies are asked for, too. */
function formsFor(client: CaseClient, valid: Json): readonly UnusualForm[] {
  const isThorough = client.fuzzRuns >= thoroughRuns;
  return unusualForms(valid).filter(({ isRare }) => isThorough || isRare !== true);
}

/** Mutations of the valid body, and where its schema is known as many bodies that are made up from that alone. */
function randomBodies(client: CaseClient, operation: Operation, valid: Json): readonly Json[] {
  const seed = Math.floor(client.random('bodies')() * 2 ** 31);
  const count = client.fuzzRuns;
  const compiled = client.document && compileDocument(client.document);
  const schema = compiled?.requestSchema(operation);
  const validate = compiled?.requestValidator(operation);
  const madeUp =
    compiled === undefined || schema === undefined || validate === undefined
      ? []
      : sampleSchema(compiled.content, schema, validate, { seed, count });
  return [...sampleMutations(valid, seed, count), ...madeUp];
}

/** What showed violations in an earlier attempt, and the valid call after each. */
async function sendAgain(client: CaseClient, bodies: FreshBodies, control: Exchange): Promise<void> {
  const operation = client.operation(control.operation);
  const forms = unusualForms(bodies.valid);
  for (const earlier of client.earlier) {
    const form = forms.find(({ what }) => what === earlier.label);
    const exchange =
      form === undefined ? await bodies.again(earlier) : await bodies.call('probe', form.what, form);
    if (exchange === undefined || isAllowed(operation, exchange, control)) continue;
    if ((await triesUntilAnswered(client, againLabel(describeAnswer(exchange)))) === undefined) return;
  }
}

function againLabel(answer: string): string {
  return `valid call after the answer ${answer}`;
}

/** How often the valid call had to be made until it was answered 200 again; undefined where it was not. */
async function triesUntilAnswered(client: CaseClient, label: string): Promise<number | undefined> {
  for (let tries = 1; tries <= 4; tries += 1) {
    if (statusOf(await client.call({ role: 'witness', label })) === 200) return tries;
    await wait(recoveryMs);
  }
  return undefined;
}

function isWitnessed(answer: string, exchanges: readonly Exchange[]): boolean {
  return exchanges.some((one) => one.label === againLabel(answer) && statusOf(one) === 200);
}

/** Of a body that was sent twice, since the target was out meanwhile, the second time. */
function lastOfEach(sent: readonly Exchange[]): readonly Exchange[] {
  return [...new Map(sent.map((one) => [`${one.label} ${one.request.body?.text}`, one] as const)).values()];
}

/**
 * 401 and 403 are of the key and its scopes. They accuse where the body names just what the valid one does, and the
 * operation is none that fails logins: what is named anew may belong to others.
 */
function isAllowed(operation: Operation, exchange: Exchange, control: Exchange | undefined): boolean {
  const status = statusOf(exchange) ?? 0;
  if ([200, 400, 404, 409].includes(status) || declaresAsItsOwn(operation, status)) return true;
  if (status !== 401 && status !== 403) return false;
  return operation.role === 'consumes-login' || !namesTheSame(control, exchange);
}

function namesTheSame(control: Exchange | undefined, exchange: Exchange): boolean {
  const known = control && sentBody(control);
  const sent = sentBody(exchange);
  if (known === undefined || sent === undefined) return false;
  try {
    const body = JSON.parse(sent.text.replace(/^\ufeff/, '')) as Json;
    return jsonLeaves(JSON.parse(known.text) as Json).every(
      ({ path, value }) => jsonAt(body, path) === value,
    );
  } catch {
    return false;
  }
}

/** One violation for all bodies that are answered alike, shown by the smallest of them. */
function violationOf(relatedExchanges: readonly Exchange[]): readonly Violation[] {
  const smaller = relatedExchanges.filter((one) => one.role === 'reduction' && sentBody(one) !== undefined);
  const [first] = relatedExchanges;
  const smallest = smaller.sort((a, b) => sizeOf(a) - sizeOf(b))[0] ?? first;
  if (first === undefined || smallest === undefined) return [];
  const found = first.label === otherLabel ? '' : `${first.label}; `;
  const size = smallest === first ? 'such as' : 'the smallest that was found is';
  return [
    {
      statement: 'any body is answered',
      expected: '200, 400, 404 or 409',
      actual: describeAnswer(smallest),
      detail: `${found}${size} ${shown(smallest)}`,
      exchange: smallest,
    },
  ];
}

function sizeOf({ request }: Exchange): number {
  return request.body?.bytes ?? 0;
}

const longestShown = 120;

/** A body within a line, what is not ASCII escaped. */
function shown({ request }: Exchange): string {
  const { text = '', bytes = 0, encoding } = request.body ?? {};
  const escaped = text
    .slice(0, longestShown)
    .replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const type = request.headers.find(([name]) => name === 'content-type')?.[1] ?? 'no content type';
  const under = type === 'application/json' ? '' : ` under ${type}`;
  const rest = text.length > longestShown ? `… (${bytes} bytes)` : '';
  return `${encoding === 'base64' ? `base64 ${escaped}` : escaped}${rest}${under}`;
}
