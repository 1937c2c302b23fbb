import { cardStyle } from './style-cards.ts';
import { pageStyle } from './style-page.ts';
import { printStyle } from './style-print.ts';
import { tableStyle } from './style-tables.ts';

/** The page's style, colours first; its hash stands in the page's policy. */
export const style: string = `${pageStyle}${cardStyle}${tableStyle}${printStyle}`;
