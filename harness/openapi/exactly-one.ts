import type { FuncKeywordDefinition } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';

/** The keyword for a `oneOf` with many alternatives; its value is an index into the list of such lists. */
export const exactlyOneName = 'x-conformance-exactly-one';

/** The member of the document that holds the alternatives. */
export const alternativesName = 'x-conformance-alternatives';

/** Alternatives that are compiled apart; more take seconds. */
export const mostExact = 500;

/** Checks that at most one alternative is satisfied; each is compiled apart, at its first use. */
export function exactlyOne(base: string): FuncKeywordDefinition {
  return {
    keyword: exactlyOneName,
    errors: false,
    validate(this: Ajv2020 | undefined, index: number, value: unknown): boolean {
      if (this === undefined) throw new Error('Ajv passes itself to its keywords');
      const { schema } = this.schemas[base] ?? {};
      const lists = (schema as Readonly<Record<string, readonly unknown[][]>>)[alternativesName] ?? [];
      let satisfied = 0;
      for (const at of (lists[index] ?? []).keys()) {
        const validate = this.getSchema(`${base}#/${alternativesName}/${index}/${at}`);
        if (validate?.(value) === true) satisfied += 1;
        if (satisfied > 1) return false;
      }
      return true;
    },
  };
}
