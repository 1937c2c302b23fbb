import { countCharacters, countNodes } from '../../fixtures/faults/example-call.ts';
import type { Fault } from '../../fixtures/faults/fault.ts';
import type { Finding } from '../../harness/model/report.ts';

/** Characters or nodes by which a reported counterexample may be larger than the smallest that there is. */
const slack = 2;

/** Why none of the findings shows the fault by an input about as small as can be; undefined where one does. */
export function objectionToSize({ counterexample }: Fault, findings: readonly Finding[]): string | undefined {
  const { characters, nodes } = counterexample ?? {};
  if (characters !== undefined) {
    const seen = findings.flatMap(({ exchange }) =>
      Object.values(exchange.request.values)
        .filter(({ source }) => source === 'generated')
        .map(({ value }) => countCharacters(value)),
    );
    return tooLarge('characters', characters, seen);
  }
  if (nodes !== undefined) {
    const seen = findings.flatMap(({ exchange: { request } }) =>
      request.body === undefined || request.body.encoding === 'base64' ? [] : [countNodes(request.body.text)],
    );
    return tooLarge('nodes', nodes, seen);
  }
  return undefined;
}

function tooLarge(unit: string, least: number, seen: readonly number[]): string | undefined {
  if (seen.length === 0 || Math.min(...seen) <= least + slack) return undefined;
  return `the smallest input reported has ${Math.min(...seen)} ${unit}, where ${least} would do`;
}
