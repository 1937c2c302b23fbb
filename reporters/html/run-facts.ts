import type { Element } from 'hast';
import { h } from 'hastscript';
import { casesInWords, reasonsOf } from '../model/run-figures.ts';
import type { PageModel } from './page-model.ts';
import { sectionView } from './row.ts';
import { code, prose, shown } from './shown-text.ts';

function lines(items: readonly (readonly (Element | string)[])[], none: string): (Element | string)[] {
  return items.length === 0 ? [none] : items.flatMap((item) => [...item, h('br')]);
}

/** The inputs of the run: versions, options, and the values that the harness found. */
export function runSection({ report }: PageModel): Element {
  const { run, target, contract, harness } = report;
  const facts: ReadonlyArray<readonly [name: string, value: (Element | string)[]] | null> = [
    [
      'Result',
      lines(
        reasonsOf(report).map((reason) => [prose(reason, 600)]),
        '',
      ),
    ],
    ['Cases', [casesInWords(report)]],
    ['Harness', [shown(`${harness.name} ${harness.version}`, 200)]],
    ['Contract', [code(contract.digest, 200)]],
    ['Seed', [String(run.seed)]],
    [
      'Options',
      lines(
        Object.entries(run.options).map(([name, value]) => [code(`${name}: ${JSON.stringify(value)}`, 600)]),
        'none',
      ),
    ],
    target.excluded === undefined
      ? null
      : [
          'Values excluded by the target file',
          lines(
            target.excluded.map((one) => [
              code([one.class, one.operation, one.parameter].filter(Boolean).join(' '), 200),
              ': ',
              prose(one.reason, 300),
            ]),
            'none',
          ),
        ],
    [
      'Values found by the harness',
      lines(
        target.discovered.map(({ name, value, from }) => [
          code(`${name} = ${value}`, 300),
          ' from ',
          prose(from, 120),
        ]),
        'none',
      ),
    ],
  ];
  return sectionView('run', 'Run', [
    h(
      'dl',
      { className: ['sheet'] },
      facts.flatMap((fact) => (fact === null ? [] : [h('dt', fact[0]), h('dd', fact[1])])),
    ),
  ]);
}
