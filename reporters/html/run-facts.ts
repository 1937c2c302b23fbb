import type { Element } from 'hast';
import { h } from 'hastscript';
import type { PageModel } from './page-model.ts';
import { code, prose, shown } from './shown-text.ts';

/** With what the run was made: versions, options, and the values that were found rather than given. */
export function runSection({ report }: PageModel): Element {
  const { run, target, contract, harness } = report;
  const options = Object.entries(run.options).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return h('section', { id: 'run', ariaLabelledBy: 'run-title' }, [
    h('h2', { id: 'run-title' }, 'How it was run'),
    h('dl', { className: ['run'] }, [
      h('div', [h('dt', 'Harness'), h('dd', shown(`${harness.name} ${harness.version}`, 200))]),
      h('div', [h('dt', 'Contract'), h('dd', code(contract.digest, 200))]),
      h('div', [h('dt', 'Seed'), h('dd', String(run.seed))]),
      h('div', [
        h('dt', 'Options'),
        h(
          'dd',
          options.length === 0 ? 'none given' : options.flatMap((option) => [code(option, 600), h('br')]),
        ),
      ]),
      run.unreachable === undefined
        ? null
        : h('div', [h('dt', 'Unreachable'), h('dd', prose(run.unreachable))]),
      target.excluded === undefined
        ? null
        : h('div', [
            h('dt', 'Values left out, as the target file says'),
            h(
              'dd',
              target.excluded.flatMap((one) => [
                code([one.class, one.operation, one.parameter].filter(Boolean).join(' '), 200),
                ': ',
                prose(one.reason, 300),
                h('br'),
              ]),
            ),
          ]),
      h('div', [
        h('dt', 'Values found by the harness'),
        h(
          'dd',
          target.discovered.length === 0
            ? 'none'
            : target.discovered.flatMap(({ name, value, from }) => [
                code(`${name} = ${value}`, 300),
                ' from ',
                prose(from, 120),
                h('br'),
              ]),
        ),
      ]),
    ]),
  ]);
}
