import type { Draw } from './draw.ts';

const firstMoment = Date.UTC(1970, 0, 1);
const lastMoment = Date.UTC(2099, 11, 31);

function moment(draw: Draw): string {
  return new Date(draw.whole(firstMoment, lastMoment)).toISOString();
}

function host(draw: Draw): string {
  return `${draw.word()}.example`;
}

function link(draw: Draw): string {
  return `https://${host(draw)}/${draw.word()}`;
}

const formats: ReadonlyMap<string, (draw: Draw) => string> = new Map([
  ['date-time', moment],
  ['date', (draw) => moment(draw).slice(0, 10)],
  ['time', (draw) => `${moment(draw).slice(11, 19)}Z`],
  ['duration', (draw) => `P${draw.whole(0, 90)}D`],
  ['uuid', (draw) => draw.uuid()],
  ['uri', link],
  ['url', link],
  ['iri', link],
  ['uri-reference', link],
  ['email', (draw) => `${draw.word()}@${host(draw)}`],
  ['hostname', host],
  ['ipv4', (draw) => draw.list(4, 4, () => draw.whole(0, 255)).join('.')],
  ['ipv6', (draw) => draw.list(8, 8, () => draw.whole(0, 0xffff).toString(16)).join(':')],
  ['byte', (draw) => Buffer.from(draw.word()).toString('base64')],
]);

/** A text of a format of JSON Schema or OpenAPI; undefined for one that says nothing that could be made up. */
export function formattedText(format: string, draw: Draw): string | undefined {
  return formats.get(format)?.(draw);
}
