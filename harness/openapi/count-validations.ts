import type { FuncKeywordDefinition } from 'ajv';

/** The keyword that counts the validations of schemas that combine others. */
export const countName = 'x-conformance-count';

const mostValidations = 200_000;

/** Validating one value would take too long: schemas that combine each other multiply. */
export class TooManyValidations extends Error {}

let count = 0;

/** Bounds the validations of one value. */
export const countValidations: { readonly keyword: FuncKeywordDefinition; readonly restart: () => void } = {
  keyword: {
    keyword: countName,
    before: '$ref',
    errors: false,
    validate: () => {
      count += 1;
      if (count > mostValidations) throw new TooManyValidations();
      return true;
    },
  },
  restart: () => {
    count = 0;
  },
};
