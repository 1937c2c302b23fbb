import type { ErrorObject } from 'ajv';
import { exactlyOneName } from './prepare-schemas.ts';

const mostErrors = 3;
const longest = 120;

/** What is wrong with a value, in words that are the same for the same defect in another value. */
export function explainErrors(errors: readonly ErrorObject[]): string[] {
  const alternatives = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const told = errors
    // What is wrong with each of the alternatives says less than that none of them fits.
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

/** A JSON Pointer with `*` for every index: which item it is changes from answer to answer. */
function placeOf({ instancePath }: ErrorObject): string {
  return instancePath === '' ? 'the body' : instancePath.replaceAll(/\/\d+(?=\/|$)/g, '/*');
}

function defectOf({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return `lacks ${String(params['missingProperty'])}`;
    case 'additionalProperties':
      return `holds ${String(params['additionalProperty'])}, which is not allowed`;
    case 'unevaluatedProperties':
      return `holds ${String(params['unevaluatedProperty'])}, which is not allowed`;
    case 'enum': {
      const allowed = JSON.stringify(params['allowedValues']);
      return `is not one of ${allowed.length > longest ? 'the allowed values' : allowed}`;
    }
    case 'const':
      return `is not ${JSON.stringify(params['allowedValue']).slice(0, longest)}`;
    case 'anyOf':
    case 'oneOf':
      return keyword === 'oneOf' && params['passingSchemas'] !== null
        ? 'matches more than one of the alternatives'
        : 'matches none of the alternatives';
    case exactlyOneName:
      return 'matches more than one of the alternatives';
    case 'false schema':
      return 'is not allowed';
    default:
      return message ?? `breaks ${keyword}`;
  }
}
