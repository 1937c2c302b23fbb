import type { Exchange } from '../model/exchange.ts';

/** Tells the calls of a case apart: by step and what they vary, and by their label where a custom check names no row. */
export function callKey({ step, row, label }: Partial<Pick<Exchange, 'step' | 'row' | 'label'>>): string {
  return JSON.stringify([step, row ?? label]);
}
