import type { Operation } from '../../spec/contract.ts';
import type { Json } from '../model/target.ts';
import type { CompiledDocument } from './compile-document.ts';
import { membersOf, type Place, reach } from './follow-references.ts';
import { schemaExamples } from './suggest-values.ts';

/**
 * A request body made up from its schema: it satisfies the schema, and its values mean nothing. Whether the target takes
 * it must be tried, and a refusal says nothing about the target.
 */
export function madeUpBody(document: CompiledDocument, operation: Operation): Json | undefined {
  const mediaType = document.requestMediaType(operation);
  if (mediaType === undefined) return undefined;
  const body = makeUp(document, reach(document.content, mediaType, 'schema'), 0);
  const validate = document.requestValidator(operation);
  if (body === undefined || validate === undefined || !validate(body).ok) return undefined;
  return body as Json;
}

const deepest = 12;
const mostItems = 1_000;
const longestText = 100_000;

function makeUp(document: CompiledDocument, schema: Place | undefined, depth: number): unknown {
  if (schema === undefined || depth > deepest) return undefined;
  const { content } = document;
  const [given] = schemaExamples(document, schema);
  if (given !== undefined) return given;
  const at = (keyword: string): unknown => reach(content, schema, keyword)?.value;
  const parts = [
    schema,
    ...membersOf(content, reach(content, schema, 'allOf')).map(([, part]) => part),
    ...['anyOf', 'oneOf'].flatMap((keyword) =>
      membersOf(content, reach(content, schema, keyword))
        .slice(0, 1)
        .map(([, part]) => part),
    ),
  ];
  if (parts.some((part) => typeOf(document, part) === 'object')) {
    const names = parts.flatMap((part) =>
      membersOf(content, reach(content, part, 'required')).map(([, name]) => String(name.value)),
    );
    const members = [...new Set(names)].map((name) => {
      const property = parts.map((part) => reach(content, part, 'properties', name)).find(Boolean);
      return [name, makeUp(document, property, depth + 1)] as const;
    });
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  }
  switch (typeOf(document, schema)) {
    case 'array': {
      const item = makeUp(document, reach(content, schema, 'items'), depth + 1);
      const least = Number(at('minItems') ?? 1);
      if (least > mostItems) return undefined;
      return item === undefined ? [] : Array.from({ length: Math.max(1, least) }, () => item);
    }
    case 'integer':
    case 'number':
      return (
        at('minimum') ?? (typeof at('exclusiveMinimum') === 'number' ? Number(at('exclusiveMinimum')) + 1 : 1)
      );
    case 'boolean':
      return true;
    case 'string':
      return text(at('format'), at('pattern'), at('minLength'), at('maxLength'));
    default:
      return parts
        .slice(1)
        .map((part) => makeUp(document, part, depth + 1))
        .find((value) => value !== undefined);
  }
}

function typeOf(document: CompiledDocument, schema: Place): string | undefined {
  const type = reach(document.content, schema, 'type')?.value;
  if (typeof type === 'string') return type;
  const [first] = Array.isArray(type) ? type.filter((one) => one !== 'null') : [];
  if (typeof first === 'string') return first;
  return reach(document.content, schema, 'properties') === undefined ? undefined : 'object';
}

const byFormat: Readonly<Record<string, string>> = {
  uri: 'https://shop.example/return',
  url: 'https://shop.example/return',
  'uri-reference': 'https://shop.example/return',
  email: 'conformance@shop.example',
  uuid: '5f0c7a52-6f0e-4f6c-9c1b-0d5b7c1f2a34',
  'date-time': '2030-01-01T00:00:00Z',
  date: '2030-01-01',
};

function text(format: unknown, pattern: unknown, minLength: unknown, maxLength: unknown): string | undefined {
  const known = byFormat[String(format)];
  if (known !== undefined) return known;
  if (/https?/.test(String(pattern))) return 'https://shop.example/return';
  if (Number(minLength ?? 0) > longestText) return undefined;
  return 'conformance'.padEnd(Number(minLength ?? 0), '-').slice(0, Number(maxLength ?? 1_000));
}
