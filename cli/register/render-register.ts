import { makeBadge } from 'badge-maker';
import type { Element, ElementContent } from 'hast';
import { h } from 'hastscript';
import { printableJson } from '../../harness/printable-json.ts';
import { visibleText } from '../../harness/visible-text.ts';
import { renderPage } from '../../reporters/html/elements.ts';
import { escapeText } from '../../reporters/model/wording.ts';
import { namedClaims } from '../describe-claims.ts';
import { certificateName, evidenceName, reportName } from '../report-folder/report-dir.ts';
import type { Entry, Register, Revocation } from './read-entries.ts';

const widest = 1_000;
const headings = ['Status', 'Vendor', 'Product', 'Base URL', 'Tested', 'Valid until', 'Trust', 'Warnings'];
const badgeColours = { valid: 'brightgreen', expired: 'lightgrey', revoked: 'red' } as const;
type Published = Pick<Register, 'entries' | 'revocations'>;

/** The list of all entries, and of all revocations, whether or not they match an entry. */
export function renderIndex({ entries, revocations }: Published, builtAt: string): string {
  const rows = entries.map((entry) => {
    const { place, status, level, claims } = entry;
    return h('tr', [
      h('td', [h('span', { className: [status] }, status), ...(claims.development ? [' (rehearsal)'] : [])]),
      h('th', { scope: 'row' }, [
        h('a', { href: `entries/${place}/index.html` }, shown(claims.vendor ?? 'not named')),
      ]),
      h('td', shown(claims.product ?? '')),
      h('td', shown(claims.baseUrl)),
      h('td', dayOf(claims.startedAt)),
      h('td', dayOf(claims.expiresAt)),
      h('td', level),
      h('td', String(claims.warnings.length)),
    ]);
  });
  const head = headings.map((text) => h('th', { scope: 'col' }, text));
  return pageOf('Certified implementations', [
    h('p', [
      `${entries.filter(({ status }) => status === 'valid').length} valid of ${entries.length} certificates. Every certificate was verified when this page was built, at ${builtAt}. `,
      h('a', { href: 'certified.json' }, 'The same list as JSON'),
    ]),
    tableOf('Certificates', [h('thead', [h('tr', head)]), h('tbody', rows)]),
    ...(revocations.length === 0 ? [] : [h('h2', 'Revocations'), h('ul', revocations.map(revoked))]),
  ]);
}

function revoked({ certificate, run, date, reason }: Revocation): Element {
  const what = certificate === undefined ? `run ${run}` : `certificate ${certificate}`;
  return h('li', `${date}: ${what}: ${shown(reason)}`);
}

/** The page of one entry, with every claim and links to the files. */
export function renderEntry(entry: Entry): string {
  const { name, status, level, claims, revocation, certificate } = entry;
  const lines = namedClaims(claims);
  // A line that continues the label of the line before has no label.
  const rows = lines.map(([label, text], at): Element => {
    const next = lines.findIndex((line, other) => other > at && line[0] !== '');
    const rowSpan = (next < 0 ? lines.length : next) - at;
    const head = label === '' ? [] : [h('th', { scope: 'row', rowSpan }, label)];
    // Whole: the end of a claim may be what matters.
    return h('tr', [...head, h('td', visibleText(text))]);
  });
  const files = [certificateName, reportName, evidenceName].map((file) =>
    h('li', [h('a', { href: file }, file)]),
  );
  return pageOf(`${shown(claims.vendor ?? 'not named')}: ${shown(claims.product ?? '')}`, [
    ...(claims.development
      ? [h('p', { className: ['rehearsal'] }, 'A rehearsal on loopback: it proves nothing about a product.')]
      : []),
    h('p', [
      h('img', { src: 'badge.svg', alt: `commerce conformance: ${status}` }),
      ` Level of trust: ${level}. `,
      ...(revocation === undefined ? [] : [`Revoked on ${revocation.date}: ${shown(revocation.reason)}`]),
    ]),
    h('h2', 'Claims'),
    tableOf('Claims', [h('tbody', rows)]),
    h('h2', 'Files'),
    h('ul', files),
    h(
      'p',
      `Certificate ${certificate}. Download the files to the folder ${name}, and the public key of the programme to owner-public.pem. Then run: npx commerce-conformance verify ${name} --owner-key owner-public.pem --require ${level}${claims.development ? ' --development' : ''}`,
    ),
    h('p', [h('a', { href: '../../index.html' }, 'All certificates')]),
  ]);
}

/** A table that scrolls sideways. */
function tableOf(label: string, parts: readonly Element[]): Element {
  const region = { className: ['scroll'], tabIndex: 0, role: 'region', ariaLabel: label };
  return h('div', region, [h('table', [...parts])]);
}

/** The badge of one entry. */
export function renderBadgeOf({ status, claims }: Entry): string {
  const message =
    status === 'valid'
      ? `${claims.development ? 'rehearsal' : 'certified'} until ${dayOf(claims.expiresAt)}`
      : status;
  return makeBadge({ label: 'commerce conformance', message, color: badgeColours[status] });
}

/** The entries as JSON, for programs. */
export function renderJson({ entries, revocations }: Published, builtAt: string): string {
  const listed = entries.map(({ name, place, status, level, certificate, claims, revocation }) => ({
    name,
    place,
    status,
    level,
    certificate,
    revocation: revocation ?? null,
    claims,
  }));
  return `${printableJson({ schemaVersion: '1.0', builtAt, entries: listed, revocations }, 2)}\n`;
}

function shown(text: string): string {
  return escapeText(text, widest);
}

function dayOf(instant: string): string {
  return instant.slice(0, 10);
}

const style: string = `
:root{color-scheme:light dark;--line:#767676;--good:#1b6b3a;--bad:#b3261e;--old:#5f5f5f}
@media(prefers-color-scheme:dark){:root{--good:#7fd6a0;--bad:#ffb4ab;--old:#c4c4c4}}
html{background:Canvas;color:CanvasText}
body{font:1rem/1.5 system-ui,sans-serif;margin:0 auto;max-width:70rem;padding:1rem;overflow-wrap:anywhere}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{border-bottom:1px solid var(--line);padding:.4rem .6rem;text-align:left;vertical-align:top}
.valid{color:var(--good);font-weight:600}.revoked{color:var(--bad);font-weight:600}.expired{color:var(--old);font-weight:600}
.rehearsal{border:2px solid var(--bad);padding:.5rem}
`;

function pageOf(title: string, content: readonly ElementContent[]): string {
  return renderPage({ title, style, images: "'self'" }, [h('main', [h('h1', title), ...content])]);
}
