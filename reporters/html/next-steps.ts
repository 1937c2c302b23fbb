import type { Element } from 'hast';
import { h } from 'hastscript';
import { operationsOf } from '../model/cause-group.ts';
import type { OpenCases } from '../model/open-cases.ts';
import { number, plural } from '../model/wording.ts';
import { mark } from './mark.ts';
import { type CauseEntries, causeAnchor, openAnchor, type PageModel } from './page-model.ts';
import { prose, shown } from './shown-text.ts';

const most = 3;
// What fits on a line beside its requirement.
const shortAnswer = 24;

function causeStep({ group, weight }: CauseEntries, index: number): Element {
  const { requirement, message, operation, actual } = group.example;
  const operations = operationsOf(group);
  const where = operations.length === 1 ? shown(operation, 120) : plural(operations.length, 'operation');
  return h('li', [
    mark(weight),
    h('span', [
      h('a', { href: `#${causeAnchor(index)}` }, shown(requirement, 60)),
      ' ',
      prose(message, 160),
      actual !== null && actual.length <= shortAnswer ? [': got ', prose(actual)] : null,
      h('b', ` · ${where}`),
    ]),
  ]);
}

function openStep({ remedy, cases }: OpenCases, index: number): Element {
  const deed = remedy.kind === 'target-file' ? 'Add' : remedy.kind === 'flag' ? 'Run with' : 'Do';
  return h('li', [
    mark('inconclusive'),
    h('span', [
      h('a', { href: `#${openAnchor(index)}` }, [
        `${deed} `,
        prose(remedy.text.replaceAll(/\s+/g, ' '), 100),
      ]),
      h('b', ` · decides ${plural(cases.length, 'case')}`),
    ]),
  ]);
}

function listOf(title: string, steps: readonly Element[], all: string): Element | null {
  const more = steps.length - most;
  if (steps.length === 0) return null;
  return h('div', [
    h('h3', title),
    h('ul', { className: ['steps'] }, [
      ...steps.slice(0, most),
      more > 0 ? h('li', h('a', { href: all }, `and ${number(more)} more`)) : null,
    ]),
  ]);
}

/** What to look at first: the widest causes, and what would decide the most. */
export function nextSteps({ causes, open }: PageModel): (Element | null)[] {
  return [
    listOf('To mend', causes.map(causeStep), '#causes'),
    // The hopeless stand last, so that the others keep their places.
    listOf('To have judged', open.filter(({ remedy }) => remedy.kind !== 'none').map(openStep), '#open'),
  ];
}
