import { groupBy } from '../harness/group-by.ts';
import type { Json } from '../harness/model/target.ts';
import type { BodyAnswer } from '../harness/target/find-bodies.ts';
import type { MissingNeed } from '../harness/target/missing-needs.ts';
import type { Survey } from '../harness/target/survey.ts';
import { flowYaml } from '../harness/target/target-template.ts';
import { escapeText } from '../reporters/model/wording.ts';

/** A line that a target file lacks, with its purpose. */
export interface LineToAdd {
  /** Keys from the top, such as `bodies` and `initiateHostedLogin`. */
  readonly at: readonly string[];
  /** In YAML. */
  readonly value: string;
  /** Said behind it, or below it where there is more. */
  readonly comments: readonly string[];
}

/** The lines that the target file lacks, those that complete most cases first. */
export function linesToAdd(
  outlook: ReadonlyArray<{ readonly need: MissingNeed; readonly cases: readonly unknown[] }>,
  { bodies }: Survey,
  authorization: string | undefined,
): readonly LineToAdd[] {
  const form =
    authorization === undefined
      ? []
      : [line(['authorization'], authorization, 'the service accepts the keys in this format')];
  const taken = bodies
    .filter(({ settled }) => settled)
    .map(({ operation, sent }) => line(['bodies', operation], sent));
  const lacking = [...outlook]
    .sort((a, b) => b.cases.length - a.cases.length)
    .flatMap(({ need, cases }) => {
      const [section, operation] = need.line.at;
      const answer = bodies.find((one) => section === 'bodies' && one.operation === operation);
      // The file has the line already, with another value.
      if (answer?.given === true) return [];
      return {
        ...need.line,
        comments: [
          `completes ${cases.length === 1 ? '1 case' : `${cases.length} cases`}: ${need.reason}`,
          ...(answer === undefined ? [] : [describeBodyAnswer(answer)]),
          ...(section === 'bodies' && operation === 'consumeHostedLoginReturn' ? issued(bodies) : []),
        ],
      };
    });
  return [...form, ...taken, ...bodies.flatMap(better), ...bodies.flatMap(sessionId), ...lacking];
}

function line(at: readonly string[], value: Json, ...comments: readonly string[]): LineToAdd {
  return { at, value: flowYaml(value), comments };
}

function sessionId({ sessionId: found }: BodyAnswer): readonly LineToAdd[] {
  if (found === undefined) return [];
  return [line(['captures', 'sessionId'], { ...found }, 'the session can be read by this value')];
}

function better({ operation, better: found }: BodyAnswer): readonly LineToAdd[] {
  if (found === undefined) return [];
  return [
    line(['bodies', operation], found.body, 'answered with 200'),
    ...Object.entries(found.captures).map(([name, capture]) => line(['captures', name], { ...capture })),
  ];
}

/** Names the values that only the initiation of a login issues, and that its return may have to contain. */
function issued(bodies: Survey['bodies']): readonly string[] {
  const pointers = bodies.find(({ operation }) => operation === 'initiateHostedLogin')?.holds ?? [];
  if (pointers.length === 0) return [];
  return [
    `initiateHostedLogin issues ${pointers.map((pointer) => escapeText(pointer)).join(', ')}; to use one: captures: { name: { from: initiateHostedLogin, pointer: … } }, and {name} in the body`,
  ];
}

/** The lines as one piece of YAML, those of one section under one key, so that they can be pasted as they are. */
export function renderLinesToAdd(lines: readonly LineToAdd[]): readonly string[] {
  const sections = groupBy(lines, ({ at }) => at[0] ?? '');
  return [...sections].flatMap(([section, members]) => {
    const [only] = members;
    if (only?.at.length === 1) return [...only.comments.map(comment('')), `${section}: ${only.value}`];
    const entries = groupBy(members, ({ at }) => at[1] ?? '');
    return [
      `${section}:`,
      ...[...entries].flatMap(([name, parts]) => [
        ...parts.flatMap(({ comments }) => comments.map(comment('  '))),
        `  ${name}: ${valueOfEntry(parts)}`,
      ]),
    ];
  });
}

/** The value, or the map of the values one level deeper. */
function valueOfEntry(parts: readonly LineToAdd[]): string {
  const [first] = parts;
  if (first === undefined || first.at.length < 3) return first?.value ?? '';
  return `{ ${parts.map(({ at, value }) => `${at[2]}: ${value}`).join(', ')} }`;
}

function comment(indent: string): (text: string) => string {
  return (text) => `${indent}# ${text}`;
}

/** The response of the target to a body, in one line, to help the user write a valid one. */
export function describeBodyAnswer({ sent, status, says }: BodyAnswer): string {
  const words = says === '' ? '' : `: ${escapeText(says)}`;
  return `the service answers ${status} to ${escapeText(JSON.stringify(sent))}${words}`;
}
