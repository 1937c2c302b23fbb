import type { Report } from '../harness/model/report.ts';
import { loadRequirements } from '../spec/requirements.ts';

/** A file as a format writes it. */
export interface RenderedFile {
  /** Where it belongs, relative to the folder of the reports, parts divided by `/`. */
  readonly path: string;
  readonly text: string;
}

/** One way to write a report. */
export interface ReportFormat {
  readonly name: string;
  /** The files that it writes, by name. */
  readonly files: readonly string[];
  /** A folder of files; files that begin with `prefix` belong to the format, the others stay untouched. */
  readonly folder?: { readonly name: string; readonly prefix: string };
  /** Loads the renderers when one is asked for, so that no other command waits for them. */
  readonly load: () => Promise<(report: Report) => readonly RenderedFile[]>;
}

/** Every format, and its files. */
export const formats: readonly ReportFormat[] = [
  oneFile('json', 'report.json', async () => (await renderers()).serialiseReport),
  oneFile('html', 'report.html', async () => {
    const [{ renderHtml }, requirements] = await Promise.all([renderers(), loadRequirements()]);
    return (report) => renderHtml(report, requirements);
  }),
  oneFile('junit', 'junit.xml', async () => (await renderers()).renderJunit),
  oneFile('markdown', 'summary.md', async () => (await renderers()).renderMarkdown),
  {
    name: 'badge',
    files: ['badge.svg', 'badge.json'],
    load: async () => (await renderers()).renderBadge,
  },
  {
    name: 'allure',
    files: [],
    folder: { name: 'allure-results', prefix: 'conformance-' },
    load: async () => (await renderers()).renderAllure,
  },
];

/** The default formats of a run. */
export const defaultFormats: readonly string[] = ['json', 'html'];

const renderers = (): Promise<typeof import('./renderers.ts')> => import('./renderers.ts');

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
