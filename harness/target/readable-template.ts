import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '../../spec/contract.ts';
import type { Json, Target } from '../model/target.ts';
import { readTargetText } from './target-file.ts';
import { type TemplateContent, targetTemplate } from './target-template.ts';

/** The text of a target file that the parser of target files reads as this content; throws where it would not. */
export function readableTemplate(contract: Contract, content: TemplateContent, path: string): string {
  const text = targetTemplate(contract, content);
  const env = Object.fromEntries(
    Array.from(text.matchAll(/(?<!\$)\$\{(\w+)\}/g), ([, name = '']) => [name, `value-of-${name}`]),
  );
  const wrong = (why: string): Error => new Error(`init would write a target file that run refuses: ${why}`);
  let target: Target;
  try {
    target = readTargetText(text, path, env, contract);
  } catch (error) {
    throw wrong((error as Error).message);
  }
  const expected = contentOf(content);
  for (const [section, value] of Object.entries(expected)) {
    const read = section === 'headers' ? target.headers.map(([name]) => name) : entry(target, section);
    if (!isDeepStrictEqual(read, value))
      throw wrong(`${section} is read as ${JSON.stringify(read)} in place of ${JSON.stringify(value)}`);
  }
  return text;
}

/** What was found, by the names of the parts of a target. */
function contentOf(content: TemplateContent): Readonly<Record<string, unknown>> {
  const { baseUrl, authorization, headers, parameters, query, bodies, captures, options } = content;
  const queries = query?.flatMap(({ operation, values }) =>
    values === undefined ? [] : [[operation, values]],
  );
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(authorization === undefined ? {} : { authorization }),
    headers: headers ?? [],
    operationParameters: Object.fromEntries(
      parameters?.map(({ operation, values }) => [operation, values]) ?? [],
    ),
    ...(queries === undefined || queries.length === 0 ? {} : { query: Object.fromEntries(queries) }),
    bodies: Object.fromEntries(
      bodies?.flatMap(
        ({ operation, body }): Array<readonly [string, Json]> =>
          body === undefined ? [] : [[operation, body]],
      ) ?? [],
    ),
    captures: captures ?? {},
    options: options ?? {},
  };
}

function entry(target: Target, section: string): unknown {
  return (target as unknown as Readonly<Record<string, unknown>>)[section];
}
