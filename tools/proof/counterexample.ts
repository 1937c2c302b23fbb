import { countCharacters, countNodes } from '../../fixtures/faults/example-call.ts';
import type { Fault } from '../../fixtures/faults/fault.ts';
import type { Finding } from '../../harness/model/report.ts';

/** Characters or nodes by which a reported counterexample may be larger than the smallest that there is. */
const slack = 2;

/** The size of the smallest input that findings report, and of the smallest that there is. */
export interface CounterexampleSize {
  readonly unit: 'characters' | 'nodes';
  readonly reported: number;
  readonly least: number;
}

/** The size of a counterexample; undefined where the fault does not depend on the input, or no input is reported. */
export function sizeOf(
  { counterexample }: Fault,
  findings: readonly Finding[],
): CounterexampleSize | undefined {
  const { characters, nodes } = counterexample ?? {};
  const unit = characters === undefined ? 'nodes' : 'characters';
  const least = characters ?? nodes;
  const seen = findings.flatMap(({ exchange: { request } }) => {
    if (unit === 'characters')
      return Object.values(request.values)
        .filter(({ source }) => source === 'generated')
        .map(({ value }) => countCharacters(value));
    return request.body === undefined || request.body.encoding === 'base64'
      ? []
      : [countNodes(request.body.text)];
  });
  return least === undefined || seen.length === 0 ? undefined : { unit, reported: Math.min(...seen), least };
}

/** Why none of the findings shows the fault by an input about as small as can be; undefined where one does. */
export function objectionToSize(fault: Fault, findings: readonly Finding[]): string | undefined {
  const size = sizeOf(fault, findings);
  if (size === undefined || size.reported <= size.least + slack) return undefined;
  return `the smallest input reported has ${size.reported} ${size.unit}, where ${size.least} would do`;
}
