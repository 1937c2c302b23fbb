import type { Element } from 'hast';
import { h } from 'hastscript';
import type { Exchange, HeaderList } from '../../harness/model/exchange.ts';
import type { Finding, Report } from '../../harness/model/report.ts';
import { reproductionScript } from '../../harness/results/fresh-reproductions.ts';
import { needsOthers, replayCommand } from '../model/replay-command.ts';
import { duration } from '../model/wording.ts';
import { bodyView } from './body-view.ts';
import { code, codeLines, operationName, prose, shellLine, shown } from './elements.ts';

const mostHeaders = 60;

function headerLines(headers: HeaderList): Element {
  const lines = headers
    .slice(0, mostHeaders)
    .flatMap(([name, value], at) => [
      at === 0 ? '' : '\n',
      h('span.name', `${shown(name, 200)}:`),
      ` ${shown(value, 1_000)}`,
    ]);
  const more = headers.length - mostHeaders;
  if (more > 0) lines.push(`\nand ${more} more`);
  return h('pre.headers', { dir: 'ltr' }, h('code', lines));
}

function requestFacts({ request, label, role }: Exchange): Element {
  const credential = request.credential.description;
  return h('p.quiet', [
    `${role}: `,
    prose(label, 300),
    ...(label === credential ? [] : ['; sent with ', prose(credential, 300)]),
    request.connection === 'shared' ? '' : `; on a ${request.connection} connection`,
    ...Object.entries(request.values).flatMap(([name, { value, source }]) => [
      '; ',
      code(`${name} = ${value}`, 300),
      ` (${source})`,
    ]),
  ]);
}

/** A request next to its response; the parts that the finding names are highlighted in the response. */
function exchangeView(exchange: Exchange, actual: string): Element {
  const { request, response, failure, durationMs } = exchange;
  const isWrongStatus = response !== undefined && actual === String(response.status);
  return h('div.exchange', [
    h('div', [
      h('p.start-line', code(`${request.method} ${request.path}`)),
      requestFacts(exchange),
      headerLines(request.headers),
      request.body && bodyView(request.body, 'Request body', ''),
    ]),
    h('div', [
      h('p.start-line', [
        response === undefined
          ? 'No complete response'
          : h(isWrongStatus ? 'mark' : 'code', `HTTP ${response.status}`),
        h('span.quiet', ` after ${duration(durationMs)}, ${shown(exchange.startedAt, 40)}`),
      ]),
      failure && h('p', [`${failure.kind}: `, prose(failure.message)]),
      response && headerLines(response.headers),
      response && bodyView(response.body, 'Response body', actual),
    ]),
  ]);
}

function stepView(exchange: Exchange, index: number, finding: Finding): Element {
  const isLast = exchange.id === finding.exchange.id;
  const answer = String(exchange.response?.status ?? exchange.failure?.kind ?? 'no response');
  const summary = h('summary', [
    ...[`${index + 1}. `, operationName(exchange.operation), ' '],
    h(isLast ? 'code.got' : 'code', answer),
    h('span.quiet', [' ', prose(exchange.label, 120)]),
  ]);
  const view = exchangeView(exchange, isLast ? finding.actual : '');
  return h('li', h('details.step', { open: isLast }, [summary, view]));
}

/** How to reproduce a finding, and its exchange; for a sequence, each step with its own exchange. */
export function evidenceView(finding: Finding, report: Report): Element[] {
  const { steps = [], exchange, actual } = finding;
  const views = steps.map((step, index) => stepView(step, index, finding));
  return [
    ...reproductionView(finding, report),
    steps.length > 1 ? h('ol.steps', views) : exchangeView(exchange, actual),
  ];
}

/** The lines to paste: curl, or for a sequence its script, where either shows the finding, and the replay. */
export function reproductionView(finding: Finding, report: Report): Element[] {
  const { steps = [] } = finding;
  const id = shown(finding.id, 40);
  const command = replayCommand(report, finding);
  const replay = shellLine(command, `command that tells whether finding ${id} is fixed`);
  if (needsOthers(finding)) return [replay];
  if (steps.length < 2)
    return [shellLine(finding.reproduction, `command that reproduces finding ${id}`), replay];
  const summary = h('summary', `Shell script of all ${steps.length} steps`);
  const script = codeLines(reproductionScript(report, finding), `script that reproduces finding ${id}`);
  return [h('details.script', [summary, script]), replay];
}
