import { createHash } from 'node:crypto';
import type { BaselineEntry } from '../../model/report.ts';
import { readTextFile } from '../../read-text-file.ts';
import { entryOf, plainJson } from '../../target/plain-json.ts';
import { schemaProblems } from '../../target/schema-problems.ts';
import { parseTargetDocument } from '../../target/target-document.ts';
import { type TargetProblem, usageErrorOf } from '../../target/target-problem.ts';

const kind = { schema: 'baseline.schema.json', name: 'the baseline' };
const haveOneWritten = 'create one: npx commerce-conformance baseline';

/** Reads a baseline, YAML or JSON; all its problems are thrown as one UsageError, sorted by line. */
export async function readBaseline(path: string): Promise<Baseline> {
  const text = await readTextFile(path, 'baseline', haveOneWritten);
  const { value, locate, sourceOf } = parseTargetDocument(text, path, haveOneWritten);
  const problems: TargetProblem[] = [];
  const plain = plainJson(value, problems);
  problems.push(...schemaProblems(kind, plain, sourceOf));
  if (problems.length === 0) problems.push(...repeated(entriesOf(plain)));
  if (problems.length > 0) throw usageErrorOf(problems, path, locate);
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  return { file: path, digest, accepted: entriesOf(plain) };
}

function entriesOf(plain: Parameters<typeof entryOf>[0]): BaselineFile['accepted'] {
  return entryOf(plain, 'accepted') as unknown as BaselineFile['accepted'];
}

/** The same finding twice could have two owners and two last days. */
function repeated(entries: readonly BaselineEntry[]): TargetProblem[] {
  return entries.flatMap(({ finding }, at) => {
    const first = entries.findIndex((other) => other.finding === finding);
    if (first === at) return [];
    return [
      {
        path: ['accepted', at, 'finding'],
        what: `the finding ${finding} is accepted twice, first by accepted[${first}]`,
        remedy: 'remove one of the two',
      },
    ];
  });
}

/** Findings that a release may have, each for a reason, with an owner and until a day. */
export interface BaselineFile {
  /** Where an editor finds this schema; not read. */
  readonly $schema?: string;
  /** The accepted findings; an empty list accepts none. @example [] */
  readonly accepted: readonly BaselineEntry[];
}

/** A baseline that was read. */
export interface Baseline {
  /** The file as it was named. */
  readonly file: string;
  /** SHA-256 over its bytes. */
  readonly digest: string;
  readonly accepted: readonly BaselineEntry[];
}
