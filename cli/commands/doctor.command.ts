import type { ActiveCheck, Case } from '../../harness/checks/check.ts';
import { plannedCases } from '../../harness/engine/run/plan.ts';
import type { Run } from '../../harness/engine/run/run.ts';
import { groupBy } from '../../harness/group-by.ts';
import type { BodyAnswer } from '../../harness/target/find-bodies.ts';
import { escapeText } from '../../reporters/model/wording.ts';
import { type RunFlags, targetOptions } from '../../spec/options.ts';
import type { CommandDefinition } from '../command-list.ts';
import { placeOf, type SurveyedRun, withSurvey } from '../describe-survey.ts';
import { interruptible, type OnRun } from '../ending-signals.ts';
import { describeBodyAnswer, linesToAdd, renderLinesToAdd } from '../lines-to-add.ts';
import { planSettings, withSettings } from '../options/read-settings.ts';
import { describeTarget } from '../run-target.ts';

/** `doctor`: the preflight, and the cases that a run could not test. */
export const command: CommandDefinition = {
  after: 'Example:\n  npx commerce-conformance doctor --target target.yaml',
  options: targetOptions,
  run: (flags: RunFlags) => interruptible((onRun) => doctor(flags, onRun)),
};

function doctor(flags: RunFlags, onRun: OnRun): Promise<number> {
  return withSettings(flags, async (settings) => {
    await planSettings(settings);
    const onOpen = (run: Run): void => {
      onRun(run);
      process.stdout.write(run.context.secrets.redact(`Target      ${describeTarget(settings)}\n`));
    };
    const file = typeof flags.target === 'string' ? flags.target : 'a target file (init writes one)';
    const hasDocument = settings.document !== undefined;
    return withSurvey(settings, onOpen, async (surveyed) => tell(surveyed, file, hasDocument));
  });
}

/** Prints the findings, and the lines that the target file lacks. */
function tell(surveyed: SurveyedRun, file: string, hasDocument: boolean): number {
  const { run, preflight, survey, authorization } = surveyed;
  const say = (line: string): void => void process.stdout.write(`${run.context.secrets.redact(line)}\n`);
  const { unreachable, accepts, discovered, keysRefused } = preflight;
  if (unreachable !== undefined) {
    say(`Reachable   no: ${escapeText(unreachable)}`);
    return 3;
  }
  say(`Reachable   yes${run.context.client.protocol === 'HTTP/2' ? ', over HTTP/2' : ''}`);
  if (keysRefused !== undefined) {
    say(`Keys        ${escapeText(keysRefused)}`);
    return 3;
  }
  const form = authorization === undefined ? '' : `, written as ${escapeText(authorization)}`;
  say(`Keys        scoped: ${describeKey(accepts.scoped)}${accepts.scoped === true ? form : ''}`);
  say(`            unscoped: ${describeKey(accepts.unscoped)}${accepts.unscoped === true ? form : ''}`);
  if (survey.keysAreSwapped === true) {
    say('            Only the unscoped key holds catalog:read: swap them');
  }
  for (const { name, why, expectations } of survey.proxies) {
    say(`In front    ${name} (${escapeText(why)})`);
    for (const { expect, fix } of expectations) {
      say(`            ${expect}`);
      if (fix !== undefined) say(`            To avoid it: ${fix}`);
    }
  }
  for (const { operation, name, value, from } of discovered) {
    say(`Found       ${operation} ${name} = ${escapeText(value)} (in ${placeOf(from)})`);
  }
  for (const [name, { from, pointer }] of Object.entries(survey.captures)) {
    say(`Found       ${escapeText(name)} at ${escapeText(pointer)} in the response of ${from}`);
  }
  for (const answer of survey.bodies) {
    const { operation, sent, settled, given, status, lacks, holds } = answer;
    if (settled)
      say(`Found       ${operation} body = ${escapeText(JSON.stringify(sent))} (answered with 200)`);
    else if (given && status === 200) say(`Body        ${operation}: accepted`);
    else if (given) say(`Body        ${operation}: not accepted: ${describeBodyAnswer(answer)}`);
    for (const name of lacks)
      say(
        `Capture     ${escapeText(name)}: the response of ${operation} holds nothing at its pointer; it holds ${escapeText(holds.join(', ') || 'no text')}`,
      );
  }
  for (const [index, line] of describeUntestedReturn(run.plan.active, survey.bodies, hasDocument).entries())
    say(`${index === 0 ? 'Login       ' : '            '}${line}`);
  const outlook = [...run.outlook().values()];
  const lacking = new Set(outlook.flatMap(({ cases }) => cases.map(({ id }) => id)));
  const total = plannedCases(run.plan).length;
  const isRefused = survey.bodies.some(({ given, status }) => given && status !== 200);
  const lines = linesToAdd(outlook, survey, authorization);
  const todo = [
    ...(isRefused ? ['fix the bodies above'] : []),
    ...(survey.bodies.some(({ lacks }) => lacks.length > 0) ? ['correct the captures above'] : []),
    ...(lines.length > 0 ? ['add the lines below'] : []),
  ];
  const when = lacking.size === 0 ? ' once you' : '; for the others,';
  const once = todo.length === 0 ? '' : `${when} ${todo.join(' and ')}`;
  // Cases that evaluate the calls of others lack nothing of their own.
  const most = lacking.size === 0 ? '' : 'at most ';
  say(`Cases       ${most}${total - lacking.size} of ${total} can be tested${once}`);
  if (lines.length > 0) {
    const hasDots = lines.some(({ value }) => value.includes('…'));
    say(`\nAdd to ${file}${hasDots ? ', with your own values for …' : ''}:\n`);
    for (const line of renderLinesToAdd(lines)) say(line);
  }
  return 0;
}

function describeKey(accepted: boolean | undefined): string {
  if (accepted === undefined) return 'not given';
  return accepted ? 'accepted' : 'refused everywhere: check the key, and its format in `authorization`';
}

/** Lists the cases that stay untested because the service accepts no return of a login; empty if it accepts one, or was not asked. */
export function describeUntestedReturn(
  active: ReadonlyArray<Case<ActiveCheck>>,
  answers: readonly BodyAnswer[],
  hasDocument: boolean,
): readonly string[] {
  const cases = active.filter(
    ({ operation, check }) =>
      operation.role === 'consumes-login' &&
      check.needs(operation).includes('valid-call') &&
      (hasDocument || check.needsDocument !== true),
  );
  const id = cases[0]?.operation.id;
  const answer = answers.find(({ operation }) => operation === id);
  if (answer === undefined || answer.status === 200 || answer.better !== undefined) return [];
  const counted = [...groupBy(cases, ({ requirement }) => requirement.id)]
    .map(([requirement, { length }]) => `${requirement} ${length}`)
    .sort()
    .join(', ');
  return [
    `${id}: no return is accepted yet; ${cases.length} cases need one and stay untested (${counted})`,
    'Nor can its 200 responses be checked. The verdict stays incomplete, and there is no certificate.',
    'If only a person in a browser gets the value: docs/certifying.md#login-returns-that-need-a-browser',
  ];
}
