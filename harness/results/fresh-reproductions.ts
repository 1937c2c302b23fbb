import { describeAnswer, endOf, startOf } from '../evidence/answer.ts';
import { withOneEncoded } from '../fuzzing/path-segment.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CaseResult, Finding, Report } from '../model/report.ts';
import { curlFlags, curlLine, keyVariables, quote, requestLine } from './curl-line.ts';
import { issuedValues, issues } from './sequence-steps.ts';

/** Reproductions that no shell executes: a comment, or the place in a document. */
const inert = /^(?:# [^\r\n]*|see [\w@%+=:,./#~-]+)$/;

/** A report from a file, with reproductions rebuilt from its exchanges, because users paste them into a shell. */
export function withFreshReproductions(report: Report): Report {
  const flags = flagsOf(report);
  const renew = (result: CaseResult): CaseResult => ({
    ...result,
    findings: result.findings.map((finding) =>
      inert.test(finding.reproduction)
        ? finding
        : { ...finding, reproduction: curlLine(finding.exchange, report.target.baseUrl, flags) },
    ),
  });
  const { additional } = report;
  return {
    ...report,
    results: report.results.map(renew),
    ...(additional && { additional: { ...additional, results: additional.results.map(renew) } }),
  };
}

/** The script that sends all steps of a finding; of a finding that one request shows, the line that sends it. */
export function reproductionScript(report: Report, finding: Finding): string {
  return sequenceScript(finding, report.target.baseUrl, flagsOf(report)) ?? finding.reproduction;
}

function flagsOf({ run: { options }, target }: Report): readonly string[] {
  return curlFlags(options, target.connection?.proxy?.variable);
}

/** A shorter pause between two steps is due to the run, and not to the sequence. */
const shortestPauseMs = 1_000;
const longestPauseSeconds = 10;

/** Where a response holds a value that a later request uses. */
interface Issue {
  readonly name: string;
  /** Counts the members of this name from 1. */
  readonly nth: number;
  /** The text around the value. */
  readonly prefix: string;
  readonly suffix: string;
}

/**
 * A script for a POSIX shell with curl that sends all steps of a finding, passes issued values from step to step and shows each
 * response with the status from the run; undefined if a single request shows the finding.
 */
export function sequenceScript(
  finding: Finding,
  baseUrl: string,
  flags: readonly string[],
): string | undefined {
  const { steps = [] } = finding;
  if (steps.length < 2) return undefined;
  const expressions = new Map(keyVariables);
  let taken = 0;
  const body = steps.flatMap((step, at) => {
    const title = quote(plain(`${at + 1}. ${step.operation}: ${step.label}`));
    const command = ['send', title, quote(describeAnswer(step))];
    const lines = [
      ...pauseBefore(step, steps[at - 1]),
      requestLine(step, baseUrl, command, flags, expressions),
    ];
    for (const value of issuedBy(step, at, steps)) {
      const issue = locate(step, value);
      if (issue === undefined) continue;
      taken += 1;
      const name = `value${taken}`;
      for (const [spelled, spell] of spellings) expressions.set(spell(value), `"$(${spelled} "$${name}")"`);
      expressions.set(value, `"$${name}"`);
      lines.push(...takeLines(name, issue));
    }
    return lines;
  });
  const text = body.join('\n');
  const keys = ['COMMERCE_KEY', 'COMMERCE_KEY_UNSCOPED'].filter((name) => text.includes(`"$${name}"`));
  return [
    '#!/bin/sh',
    `# ${plain(`Finding ${finding.id}: ${finding.headline ?? finding.message}`)}`,
    `# ${plain(`Expected ${finding.expected}, got ${finding.actual}.`)}`,
    ...keys.map((name) => `: "\${${name}:?is not set}"`),
    ...helpers,
    text,
    `echo; echo ${quote(plain(`Expected ${finding.expected}; the run got ${finding.actual}.`))}`,
    '',
  ].join('\n');
}

/** Percent-encodes the reserved characters that ids hold, as a script of sed. */
const encoding = [...'%:/?#@+=&,;| ']
  .map((one) => `s|${one === '|' ? '[|]' : one}|${encodeURIComponent(one)}|g`)
  .join(';');

/** How paths spell an id, each with the body of a shell function that does the same. */
const spellings: ReadonlyArray<readonly [name: string, spell: (id: string) => string, body: string]> = [
  ['encoded', encodeURIComponent, `printf %s "$1" | sed '${encoding}'`],
  ['with_first_encoded', withOneEncoded, `set -- "$(encoded "$1")"; printf '%%%X%s' "'$1" "\${1#?}"`],
  ['in_capitals', (id) => id.toUpperCase(), `printf %s "$1" | tr '[:lower:]' '[:upper:]'`],
];

const helpers = [
  'dir=$(mktemp -d) || exit 2',
  `trap 'rm -rf "$dir"' EXIT`,
  '# send <step> <answer in the run> <arguments of curl>',
  'send() {',
  `  printf '\\n%s\\n  in the run: %s\\n' "$1" "$2"; shift 2`,
  '  : > "$dir/body"',
  '  curl -sS -o "$dir/body" -w "%{http_code}" "$@" > "$dir/status"',
  `  printf '  now:        %s\\n' "$(cat "$dir/status")"`,
  '  cat "$dir/body"; echo',
  '}',
  '# take <name> <nth>: the value of the nth member of this name in the last response, which must have status 200',
  'take() {',
  `  grep -q 200 "$dir/status" && tr '\\r\\n' '  ' < "$dir/body" | awk -v name="$1" -v nth="$2" '{`,
  '    key = "\\"" name "\\"[ \\t]*:[ \\t]*"',
  '    while (match($0, key "(\\"[^\\"]*\\"|-?[0-9]+)")) {',
  '      found = substr($0, RSTART, RLENGTH); $0 = substr($0, RSTART + RLENGTH)',
  '      if (--nth == 0) { sub(key, "", found); gsub(/"/, "", found); print found; exit }',
  '    }',
  "  }' | grep . && return",
  '  echo "Stopped: later steps need $1 from a response with status 200. Check the keys and the service." >&2',
  '  return 3',
  '}',
  ...spellings.map(([name, , body]) => `${name}() { ${body}; }`),
];

function pauseBefore(step: Exchange, before: Exchange | undefined): readonly string[] {
  if (before === undefined) return [];
  const gap = startOf(step) - endOf(before);
  return gap < shortestPauseMs ? [] : [`sleep ${Math.min(longestPauseSeconds, Math.ceil(gap / 1000))}`];
}

/** The values that this step issued first and that a later step uses. */
function issuedBy(step: Exchange, at: number, steps: readonly Exchange[]): readonly string[] {
  const later = steps.slice(at + 1).flatMap((one) => issuedValues(one, steps));
  return [...new Set(later)].filter((value) => steps.find((one) => issues(one, value)) === step);
}

/** The first member with this value; of names without special characters, which a pattern of awk finds. */
function locate({ response }: Exchange, value: string): Issue | undefined {
  const text = response?.body.text ?? '';
  const counts = new Map<string, number>();
  let around: Issue | undefined;
  for (const [, name = '', string, number] of text.matchAll(/"([\w-]+)"\s*:\s*(?:"([^"]*)"|(-?\d+))/g)) {
    const found = string ?? number ?? '';
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    if (found === value) return { name, nth, prefix: '', suffix: '' };
    const at = found.indexOf(value);
    if (at >= 0) around ??= { name, nth, prefix: found.slice(0, at), suffix: found.slice(at + value.length) };
  }
  return around;
}

function takeLines(variable: string, { name, nth, prefix, suffix }: Issue): readonly string[] {
  return [
    `${variable}=$(take ${name} ${nth}) || exit`,
    ...(prefix === '' ? [] : [`${variable}=\${${variable}#${quote(prefix)}}`]),
    ...(suffix === '' ? [] : [`${variable}=\${${variable}%${quote(suffix)}}`]),
  ];
}

/** One line without characters that a terminal or a shell would act on. */
function plain(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
}
