import type { ErrorObject, Format } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { loadAjv } from '../../spec/json-schema.ts';
import { firstFew } from '../first-few.ts';
import { fragmentOf, pointerOf, type Steps } from '../json-pointers.ts';
import { keptAt } from '../kept-at.ts';
import { type LinearPattern, linearPattern } from '../linear-pattern.ts';
import type { Members } from '../model/supplied-document.ts';
import type { Place } from './place.ts';
import {
  countKeyword,
  type Direction,
  prepareSchemas,
  restartCount,
  TooManyValidations,
} from './prepare-schemas.ts';
import { explodes, isOpen, uncheckedParts } from './schema-shape.ts';

export type SchemaVerdict =
  | { readonly ok: true; readonly unfinished?: true }
  | { readonly ok: false; readonly errors: readonly string[] };

export interface SchemaValidator {
  (value: unknown): SchemaVerdict;
  /** Parts of the schema that it cannot check; values that satisfy the rest are accepted. */
  readonly unchecked?: readonly string[];
}

export interface UnusableSchema {
  readonly at: Steps;
  readonly reason: string;
}

const base = 'oas:/document';

/** Compiles validators at their first use; undefined for a schema that allows anything or cannot be used. */
export function schemaCompiler(
  content: Members,
  unusable: Map<string, UnusableSchema>,
): (schema: Place | undefined, direction: Direction) => SchemaValidator | undefined {
  const ajvs = new Map<Direction, Ajv2020>();
  const validators = new Map<string, SchemaValidator | undefined>();

  const newAjv = (direction: Direction): Ajv2020 => {
    const ajv = new (loadAjv())({
      strict: false,
      allErrors: true,
      validateSchema: false,
      logger: false,
      // A required member called `constructor` must not be found on the prototype.
      ownProperties: true,
      // 0.07 is a multiple of 0.01, whatever binary fractions say.
      multipleOfPrecision: 4,
      formats: assertedFormats,
      // Optimising the code takes as long as making it, and saves less than that in a run.
      code: { regExp: lenientRegExp, optimize: false },
      keywords: [countKeyword],
    });
    ajv.addSchema(prepareSchemas(content, direction), base);
    return ajv;
  };

  const compiled = (schema: Place, direction: Direction): SchemaValidator | undefined => {
    if (isOpen(schema)) return undefined;
    try {
      if (explodes(schema)) throw new TooManyValidations();
      const ajv = keptAt(ajvs, direction, () => newAjv(direction));
      const validate = ajv.compile({ $ref: `${base}#${fragmentOf(schema.steps)}` });
      const validator = (value: unknown): SchemaVerdict => {
        try {
          restartCount();
          return validate(value) ? { ok: true } : { ok: false, errors: explainErrors(validate.errors ?? []) };
        } catch (error) {
          if (error instanceof TooManyValidations || error instanceof RangeError)
            return { ok: true, unfinished: true };
          throw error;
        }
      };
      return Object.assign(validator, { unchecked: uncheckedParts(schema) });
    } catch (error) {
      unusable.set(pointerOf(schema.steps), { at: schema.steps, reason: reasonOf(schema, error) });
      return undefined;
    }
  };

  return (schema, direction) => {
    if (schema === undefined) return undefined;
    const key = `${direction} ${pointerOf(schema.steps)}`;
    if (!validators.has(key)) validators.set(key, compiled(schema, direction));
    return validators.get(key);
  };
}

function reasonOf(schema: Place, error: unknown): string {
  if (error instanceof TooManyValidations) {
    return 'the schema combines so many others that one body would be validated tens of thousands of times; combine each one once';
  }
  if (error instanceof RangeError) {
    return schema.end === undefined
      ? 'the schema refers to itself without end'
      : 'the schema leads through too many others to be compiled; join some of them';
  }
  const { message } = error as Error;
  return (message.split('\n', 1)[0] ?? message).replaceAll(base, '');
}

// A pattern that cannot be matched in linear time could stop the run: it accepts every text, and `unchecked` names it.
const lenientRegExp = Object.assign(
  (pattern: string): LinearPattern => linearPattern(pattern) ?? { test: () => true },
  { code: 'lenientRegExp' },
);

/**
 * Formats with unambiguous grammars. Formats on which libraries differ are left out, such as addresses outside ASCII: in
 * OpenAPI 3.1 a format only annotates, and no service must fail over a matter of opinion.
 */
const undisputed = [
  ...(['date', 'time', 'duration', 'uri', 'uri-reference', 'uuid', 'ipv4', 'ipv6'] as const),
  ...(['json-pointer', 'relative-json-pointer', 'byte', 'int32', 'int64', 'float', 'double'] as const),
];

const dateTime = fullFormats['date-time'] as { readonly validate: (text: string) => boolean };

const assertedFormats: Readonly<Record<string, Format>> = {
  ...Object.fromEntries(undisputed.map((name) => [name, fullFormats[name]])),
  // The one of ajv-formats accepts a space in place of the T.
  'date-time': (text: string) => !/\s/.test(text) && dateTime.validate(text),
};

const mostErrors = 3;
const longest = 120;

/** The defects of a value; the same defect in another value has the same words. */
function explainErrors(errors: readonly ErrorObject[]): readonly string[] {
  const alternatives = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const told = errors
    // That no alternative matches says more than the errors of each alternative.
    .filter(
      (error) =>
        !alternatives.some((whole) => whole !== error && error.instancePath.startsWith(whole.instancePath)),
    )
    .map((error) => {
      const { instancePath, keyword, params, message } = error;
      // Indexes differ between responses.
      const place = instancePath.replaceAll(/\/\d+(?=\/|$)/g, '/*') || 'the body';
      return `${place} ${defects[keyword]?.(params) ?? message ?? `breaks ${keyword}`}`;
    });
  return firstFew([...new Set(told)], mostErrors);
}

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
  oneOf: ({ passingSchemas }) =>
    passingSchemas === null ? noneMatches : 'matches more than one of the alternatives',
  'false schema': () => 'is not allowed',
};
