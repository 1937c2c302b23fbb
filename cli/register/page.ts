import { createHash } from 'node:crypto';
import type { ElementContent, Root } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { h } from 'hastscript';

const style: string = `
:root{color-scheme:light dark;--line:#767676;--good:#1b6b3a;--bad:#b3261e;--old:#5f5f5f}
@media(prefers-color-scheme:dark){:root{--good:#7fd6a0;--bad:#ffb4ab;--old:#c4c4c4}}
html{background:Canvas;color:CanvasText}
body{font:1rem/1.5 system-ui,sans-serif;margin:0 auto;max-width:70rem;padding:1rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{border-bottom:1px solid var(--line);padding:.4rem .6rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
.valid{color:var(--good);font-weight:600}.revoked{color:var(--bad);font-weight:600}.expired{color:var(--old);font-weight:600}
.rehearsal{border:2px solid var(--bad);padding:.5rem}
`;

/** Only the page's own style and images of the site. */
const policy: string = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src 'self'; base-uri 'none'; form-action 'none'`;

/** A page of a register; nothing in it runs or loads from elsewhere. */
export function renderPage(title: string, content: readonly ElementContent[]): string {
  const root: Root = {
    type: 'root',
    children: [
      { type: 'doctype' },
      h('html', { lang: 'en' }, [
        h('head', [
          h('meta', { charSet: 'utf-8' }),
          h('meta', { httpEquiv: 'Content-Security-Policy', content: policy }),
          h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
          h('meta', { name: 'referrer', content: 'no-referrer' }),
          h('title', title),
          h('style', style),
        ]),
        h('body', [h('main', [h('h1', title), ...content])]),
      ]),
    ],
  };
  return `${toHtml(root)}\n`;
}
