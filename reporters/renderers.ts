export { renderAllure } from './allure/render-allure.ts';
export { renderBadge } from './badge/render-badge.ts';
export { renderHtml } from './html/render-html.ts';
export { serialiseReport } from './json/write-report.ts';
export { renderJunit } from './junit/render-junit.ts';
export { renderMarkdown } from './markdown/render-markdown.ts';
