import { createRequire } from 'node:module';
import type { Ajv2020 } from 'ajv/dist/2020.js';

const load = createRequire(import.meta.url);

/** The compiler of JSON schemas, loaded at its first use: it is slow to load, and most runs need none. */
export function loadAjv(): typeof Ajv2020 {
  return (load('ajv/dist/2020.js') as { readonly Ajv2020: typeof Ajv2020 }).Ajv2020;
}
