import type { Report } from '../harness/model/report.ts';
import type { RenderedFile } from './rendered-file.ts';

/** One way to write a report. */
export interface ReportFormat {
  readonly name: string;
  /** The files that it writes, by name. */
  readonly files: readonly string[];
  /** A folder of files beside them; those that begin with `prefix` are its own, the others stay untouched. */
  readonly folder?: { readonly name: string; readonly prefix: string };
  /** Loads the renderer when it is asked for, so that no other command waits for it. */
  readonly load: () => Promise<Renderer>;
}

/** A pure function of the report. */
export type Renderer = (report: Report) => readonly RenderedFile[];

/** Every format, and what it writes. */
export const formats: readonly ReportFormat[] = [
  oneFile('json', 'report.json', async () => (await import('./json/write-report.ts')).serialiseReport),
  oneFile('html', 'report.html', async () => {
    const [{ renderHtml }, { loadRequirements }] = await Promise.all([
      import('./html/render-html.ts'),
      import('../spec/requirements.ts'),
    ]);
    const requirements = await loadRequirements();
    return (report) => renderHtml(report, requirements);
  }),
  oneFile('junit', 'junit.xml', async () => (await import('./junit/render-junit.ts')).renderJunit),
  oneFile(
    'markdown',
    'summary.md',
    async () => (await import('./markdown/render-markdown.ts')).renderMarkdown,
  ),
  {
    name: 'badge',
    files: ['badge.svg', 'badge.json'],
    load: async () => {
      const { renderBadgeJson, renderBadgeSvg } = await import('./badge/render-badge.ts');
      return (report) => [
        { path: 'badge.svg', text: renderBadgeSvg(report) },
        { path: 'badge.json', text: renderBadgeJson(report) },
      ];
    },
  },
  {
    name: 'allure',
    files: [],
    folder: { name: 'allure-results', prefix: 'conformance-' },
    load: async () => (await import('./allure/render-allure.ts')).renderAllure,
  },
];

/** What a run writes that is not told otherwise. */
export const defaultFormats: readonly string[] = ['json', 'html'];

function oneFile(name: string, path: string, load: () => Promise<(report: Report) => string>): ReportFormat {
  return {
    name,
    files: [path],
    load: async () => {
      const render = await load();
      return (report) => [{ path, text: render(report) }];
    },
  };
}
