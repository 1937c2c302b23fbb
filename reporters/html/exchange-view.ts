import type { Element, ElementContent } from 'hast';
import { h } from 'hastscript';
import type { Exchange, HeaderList } from '../../harness/model/exchange.ts';
import { duration } from '../model/wording.ts';
import { bodyView } from './body-view.ts';
import { code, prose, shown } from './shown-text.ts';

const mostHeaders = 60;

function headerLines(headers: HeaderList): Element {
  const lines = headers
    .slice(0, mostHeaders)
    .flatMap(([name, value], at) => [
      at === 0 ? '' : '\n',
      h('span', { className: ['name'] }, `${shown(name, 200)}:`),
      ` ${shown(value, 1_000)}`,
    ]);
  const more = headers.length - mostHeaders;
  if (more > 0) lines.push(`\n… and ${more} more`);
  return h('pre', { dir: 'ltr', className: ['headers'] }, h('code', lines));
}

function requestFacts({ request, label, role }: Exchange): Element {
  const values = Object.entries(request.values).map(([name, { value, source }]) => [
    '; ',
    code(`${name} = ${value}`, 300),
    ` (${source})`,
  ]);
  const connection = request.connection === 'shared' ? '' : `; on a ${request.connection} connection`;
  const credential = request.credential.description;
  const facts: (string | ElementContent)[] = [
    `${role}: `,
    prose(label, 300),
    ...(label === credential ? [] : ['; sent with ', prose(credential, 300)]),
    connection,
    ...values.flat(),
  ];
  return h('p', { className: ['remark'] }, facts);
}

function requestView(exchange: Exchange): Element {
  const { request } = exchange;
  return h('section', { className: ['side-by-side'] }, [
    h('h4', 'Request'),
    h('p', { className: ['start-line'] }, code(`${request.method} ${request.path}`)),
    requestFacts(exchange),
    headerLines(request.headers),
    request.body === undefined ? null : bodyView(request.body, 'Request body', ''),
  ]);
}

function responseView(exchange: Exchange, expected: string, actual: string): Element {
  const { response, failure, durationMs } = exchange;
  const isWrongStatus = response !== undefined && actual === String(response.status);
  return h('section', { className: ['side-by-side'] }, [
    h('h4', 'Response'),
    response === undefined
      ? h('p', { className: ['start-line'] }, 'no complete answer')
      : h('p', { className: ['start-line'] }, [
          h(isWrongStatus ? 'mark' : 'code', `HTTP ${response.status}`),
          isWrongStatus ? [' expected ', prose(expected, 300)] : null,
        ]),
    failure === undefined
      ? null
      : h('p', { className: ['remark'] }, [`${failure.kind}: `, prose(failure.message)]),
    h('p', { className: ['remark'] }, `after ${duration(durationMs)}, at ${shown(exchange.startedAt, 40)}`),
    response === undefined ? null : headerLines(response.headers),
    response === undefined ? null : bodyView(response.body, 'Response body', actual),
  ]);
}

/** Request beside response, with what the finding speaks of pointed out in the response. */
export function exchangeView(exchange: Exchange, expected: string, actual: string): Element {
  return h('div', { className: ['exchange'] }, [
    requestView(exchange),
    responseView(exchange, expected, actual),
  ]);
}
