import {
  Composer,
  type Document,
  isCollection,
  isScalar,
  Lexer,
  type LineCounter,
  Parser,
  visit,
  YAMLParseError,
} from 'yaml';

/** Characters of a text, and levels of nesting in it; the parser's memory and its stack grow with them. */
const mostCharacters = 2 * 1024 * 1024;
const deepest = 300;
/** Problems after which a text is not YAML. */
const mostProblems = 1_000;

/** Why a text is not parsed at all. */
export class RefusedYaml extends Error {}

/**
 * Parses YAML in bounded time and memory: the functions of the library are recursive, compare every key with every other,
 * and serialise keys that are collections. Syntax errors are in the documents; throws `RefusedYaml` beyond the limits.
 */
export function parseYaml(
  text: string,
  { lines, merge = false }: { readonly lines?: LineCounter; readonly merge?: boolean } = {},
): readonly Document.Parsed[] {
  if (text.length > mostCharacters)
    throw new RefusedYaml(`it has more than ${mostCharacters} characters; JSON may have more`);
  const parser = new Parser(lines?.addNewLine);
  lines?.addNewLine(0);
  const tokens = [];
  let problems = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      tokens.push(token);
      if (token.type === 'error') problems += 1;
    }
    if (parser.stack.length > deepest) throw new RefusedYaml(`it is nested more than ${deepest} levels deep`);
    if (problems > mostProblems) throw new RefusedYaml('it is not YAML');
  }
  tokens.push(...parser.end());
  const composer = new Composer({ uniqueKeys: false, version: '1.2', merge, logLevel: 'silent' });
  const documents = [...composer.compose(tokens)] as Document.Parsed[];
  for (const document of documents) addKeyErrors(document);
  return documents;
}

/** Adds an error for each key that stands twice in its map, from there back to the first, and for each that is not a scalar. */
function addKeyErrors(document: Document.Parsed): void {
  visit(document, {
    Map: (_place, map) => {
      const starts = new Map<unknown, number>();
      for (const { key } of map.items) {
        const [start = 0, end = start] = (key as { readonly range?: readonly number[] } | null)?.range ?? [];
        const refuse = (code: 'DUPLICATE_KEY' | 'BAD_DIRECTIVE', why: string, to: number): void => {
          document.errors.push(new YAMLParseError([start, to], code, why));
        };
        if (isCollection(key)) refuse('BAD_DIRECTIVE', 'Keys must be texts', end);
        else if (isScalar(key) && key.value !== '<<') {
          const first = starts.get(key.value);
          if (first === undefined) starts.set(key.value, start);
          else refuse('DUPLICATE_KEY', 'Map keys must be unique', first);
        }
      }
    },
  });
}
