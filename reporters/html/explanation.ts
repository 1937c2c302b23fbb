import type { Element } from 'hast';
import { h } from 'hastscript';
import type { Level } from '../../harness/model/report.ts';
import type { Requirement } from '../../spec/requirements.ts';
import { shown } from './shown-text.ts';

/** What the requirement asks, why it matters, and what a service may do all the same. */
export function explanation(requirement: Requirement, level: Level): Element {
  const clauses = Object.values(requirement.clauses).filter(
    (clause) => clause.level === level && level !== requirement.level,
  );
  return h('section', { className: ['explanation'] }, [
    h('h4', `What ${requirement.id} asks`),
    h('p', `${requirement.title}.`),
    ...clauses.map(({ title }) => h('p', `With less weight (${level}): ${title}.`)),
    h('p', [h('b', 'Why it matters. '), requirement.rationale]),
    requirement.allows.length === 0
      ? null
      : [
          h('p', h('b', 'Allowed:')),
          h(
            'ul',
            requirement.allows.map((note) => h('li', note)),
          ),
        ],
    h('p', { className: ['remark'] }, [
      'More: ',
      h('code', `commerce-conformance explain ${shown(requirement.id, 60)}`),
    ]),
  ]);
}
