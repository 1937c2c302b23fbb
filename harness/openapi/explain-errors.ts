import type { ErrorObject } from 'ajv';
import { exactlyOneName } from './prepare-schemas.ts';

const mostErrors = 3;
const longest = 120;

/** The defects of a value; the same defect in another value has the same words. */
export function explainErrors(errors: readonly ErrorObject[]): string[] {
  const alternatives = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const told = errors
    // That no alternative matches says more than the errors of each alternative.
    .filter(
      (error) =>
        !alternatives.some((whole) => whole !== error && error.instancePath.startsWith(whole.instancePath)),
    )
    .map((error) => `${placeOf(error)} ${defectOf(error)}`);
  const different = [...new Set(told)];
  const shown = different.slice(0, mostErrors);
  const hidden = different.length - shown.length;
  return hidden > 0 ? [...shown, `and ${hidden} more`] : shown;
}

/** A JSON Pointer with `*` for every index, because indexes differ between responses. */
function placeOf({ instancePath }: ErrorObject): string {
  return instancePath === '' ? 'the body' : instancePath.replaceAll(/\/\d+(?=\/|$)/g, '/*');
}

function defectOf({ keyword, params, message }: ErrorObject): string {
  return defects[keyword]?.(params) ?? message ?? `breaks ${keyword}`;
}

const severalMatch = 'matches more than one of the alternatives';
const noneMatches = 'matches none of the alternatives';

/** The defects in words, by the keyword of the schema that the value breaks. */
const defects: Readonly<Record<string, (params: ErrorObject['params']) => string>> = {
  required: ({ missingProperty }) => `lacks ${missingProperty}`,
  additionalProperties: ({ additionalProperty }) => `holds ${additionalProperty}, which is not allowed`,
  unevaluatedProperties: ({ unevaluatedProperty }) => `holds ${unevaluatedProperty}, which is not allowed`,
  enum: ({ allowedValues }) => {
    const allowed = JSON.stringify(allowedValues);
    return `is not one of ${allowed.length > longest ? 'the allowed values' : allowed}`;
  },
  const: ({ allowedValue }) => `is not ${JSON.stringify(allowedValue).slice(0, longest)}`,
  anyOf: () => noneMatches,
  oneOf: ({ passingSchemas }) => (passingSchemas === null ? noneMatches : severalMatch),
  [exactlyOneName]: () => severalMatch,
  'false schema': () => 'is not allowed',
};
