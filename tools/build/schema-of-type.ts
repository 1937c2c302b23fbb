import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from '@typescript/typescript6';

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** A node with the file that it stands in, whose imports resolve its names. */
interface Placed<N extends ts.Node = ts.TypeNode> {
  readonly node: N;
  readonly file: string;
}

/**
 * The JSON Schema of a type, which a file declares or imports by this name. The comment of a type or a member is its
 * description, and tags of the comment are keywords, such as `@minimum 0`. Objects are closed. `known` has the schemas of types
 * that are no literal declarations.
 */
export function schemaOfType(name: string, file: string, known: Readonly<Record<string, Schema>>): Schema {
  const writer = new SchemaWriter(known);
  const schema = writer.declared(declarationOf(name, file));
  return { ...schema, $defs: writer.definitions };
}

/** Collects the schemas of the interfaces that a schema refers to, by their names in camelCase. */
class SchemaWriter {
  readonly definitions: Record<string, Schema> = {};
  readonly #known: Readonly<Record<string, Schema>>;

  constructor(known: Readonly<Record<string, Schema>>) {
    this.#known = known;
  }

  declared({ node, file }: Placed<ts.Declaration>): Schema {
    const body = ts.isTypeAliasDeclaration(node)
      ? this.#schemaOf({ node: node.type, file })
      : ts.isVariableDeclaration(node) && node.initializer !== undefined
        ? { const: literalOf(node.initializer) }
        : this.#objectOf(membersOf({ node, file }));
    return { ...body, ...commentOf(node) };
  }

  /** A reference to an interface, or the schema of anything else that has a name. */
  #named(name: string, file: string): Schema {
    const known = this.#known[name];
    if (known !== undefined) return known;
    const declared = declarationOf(name, file);
    if (!ts.isInterfaceDeclaration(declared.node)) return this.declared(declared);
    const key = name[0]?.toLowerCase() + name.slice(1);
    if (this.definitions[key] === undefined) {
      this.definitions[key] = {};
      this.definitions[key] = this.declared(declared);
    }
    return { $ref: `#/$defs/${key}` };
  }

  #schemaOf({ node, file }: Placed): Schema {
    const at = (inner: ts.TypeNode): Placed => ({ node: inner, file });
    switch (node.kind) {
      case ts.SyntaxKind.UnknownKeyword:
        return {};
      case ts.SyntaxKind.StringKeyword:
        return { type: 'string' };
      case ts.SyntaxKind.NumberKeyword:
        return { type: 'number' };
      case ts.SyntaxKind.BooleanKeyword:
        return { type: 'boolean' };
    }
    if (ts.isTypeOperatorNode(node)) return this.#schemaOf(at(node.type));
    if (ts.isArrayTypeNode(node)) return { type: 'array', items: this.#schemaOf(at(node.elementType)) };
    if (ts.isTupleTypeNode(node)) return this.#tupleOf({ node, file });
    if (ts.isUnionTypeNode(node)) return this.#unionOf({ node, file });
    if (ts.isLiteralTypeNode(node)) {
      const value = literalOf(node.literal);
      return value === null ? { type: 'null' } : { const: value };
    }
    if (ts.isTypeQueryNode(node)) return this.#named(node.exprName.getText(), file);
    if (ts.isIndexedAccessTypeNode(node)) {
      const members = membersOf(at(node.objectType));
      const [member] = textsOf(node.indexType).map((name) => members.get(name));
      if (member !== undefined) return this.#memberOf(member);
    }
    if (ts.isTypeReferenceNode(node)) {
      const [first, second] = (node.typeArguments ?? []).map(at);
      const name = node.typeName.getText();
      if (first === undefined) return this.#named(name, file);
      if (name === 'ReadonlyArray') return { type: 'array', items: this.#schemaOf(first) };
      if (name === 'Readonly' || name === 'Partial') return this.#schemaOf(first);
      if (name === 'Record' && second !== undefined) {
        const names = this.#schemaOf(first);
        const isAny = Object.keys(names).every((keyword) => keyword === 'type');
        return {
          type: 'object',
          ...(isAny ? {} : { propertyNames: names }),
          additionalProperties: this.#schemaOf(second),
        };
      }
    }
    return this.#objectOf(membersOf({ node, file }));
  }

  /** A tuple whose elements are all of one type. */
  #tupleOf({ node, file }: Placed<ts.TupleTypeNode>): Schema {
    const [items, ...others] = node.elements.map((element) =>
      this.#schemaOf({ node: ts.isNamedTupleMember(element) ? element.type : element, file }),
    );
    if (others.some((other) => JSON.stringify(other) !== JSON.stringify(items)))
      throw new Error(`${file}: a tuple of several types has no schema`);
    return { type: 'array', items, minItems: node.elements.length, maxItems: node.elements.length };
  }

  #unionOf({ node, file }: Placed<ts.UnionTypeNode>): Schema {
    const members = node.types
      .filter(({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword)
      .map((type) => this.#schemaOf({ node: type, file }));
    const [only] = members;
    if (members.length === 1 && only !== undefined) return only;
    const values = members.map((member) => member['const']);
    if (values.every((value) => typeof value === 'string')) return { type: 'string', enum: values };
    // What other keywords say is of one type each.
    if (members.every((member) => typeof member['type'] === 'string'))
      return { ...Object.assign({}, ...members), type: members.map((member) => member['type']) };
    const [one, other] = members.map(({ $ref }) => this.definitions[String($ref).slice('#/$defs/'.length)]);
    const required = [...((one?.['required'] ?? []) as readonly string[])];
    const own = required.find((name) => !((other?.['required'] ?? []) as readonly string[]).includes(name));
    if (members.length !== 2 || own === undefined)
      throw new Error(`${file}: no schema for ${node.getText()}`);
    // A member that only one of two interfaces requires tells them apart, so that errors are about the right one.
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    return { if: { required: [own], properties: { [own]: true } }, then: members[0], else: members[1] };
  }

  #objectOf(members: Members): Schema {
    const properties = [...members].map(([name, member]) => [name, this.#memberOf(member)] as const);
    const required = [...members].filter(([, { node }]) => !isOptional(node)).map(([name]) => name);
    const { [anyName]: additionalProperties = false, ...named } = Object.fromEntries(properties);
    return {
      type: 'object',
      additionalProperties,
      ...(required.length === 0 ? {} : { required }),
      properties: named,
    };
  }

  #memberOf({ node, file }: Placed<Member>): Schema {
    const schema = node.type === undefined ? {} : this.#schemaOf({ node: node.type, file });
    return { ...schema, ...commentOf(node) };
  }
}

type Member = ts.PropertySignature | ts.IndexSignatureDeclaration;
type Members = ReadonlyMap<string, Placed<Member>>;

/** Stands for the names that an index signature allows. */
const anyName = '*';

/** The members of an object type, by name. */
function membersOf({ node, file }: Placed<ts.Node>): Members {
  const inherited = (parts: readonly ts.Node[] = []): Members =>
    new Map(parts.flatMap((part) => [...membersOf({ node: part, file })]));
  if (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)) {
    const parents = ts.isInterfaceDeclaration(node)
      ? node.heritageClauses?.flatMap(({ types }) => types)
      : [];
    const own = node.members
      .filter((member) => ts.isPropertySignature(member) || ts.isIndexSignatureDeclaration(member))
      .map(
        (member) =>
          [ts.isPropertySignature(member) ? member.name.getText() : anyName, { node: member, file }] as const,
      );
    return new Map([...inherited(parents), ...own]);
  }
  if (ts.isTypeAliasDeclaration(node)) return membersOf({ node: node.type, file });
  if (ts.isIntersectionTypeNode(node)) return inherited(node.types);
  if (ts.isIndexedAccessTypeNode(node)) {
    const [name = ''] = textsOf(node.indexType);
    const member = membersOf({ node: node.objectType, file }).get(name);
    if (member?.node.type !== undefined) return membersOf({ node: member.node.type, file: member.file });
  }
  if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
    const name = (ts.isTypeReferenceNode(node) ? node.typeName : node.expression).getText();
    const [first, second] = node.typeArguments ?? [];
    if (first === undefined) return membersOf(declarationOf(name, file));
    const picked = name === 'Pick';
    if ((picked || name === 'Omit') && second !== undefined) {
      const names = textsOf(second, file);
      return new Map([...inherited([first])].filter(([member]) => names.includes(member) === picked));
    }
  }
  throw new Error(`${file}: no schema for ${node.getText()}`);
}

/** The texts that a type of literals allows. */
function textsOf(node: ts.TypeNode, file = ''): readonly string[] {
  if (ts.isUnionTypeNode(node)) return node.types.flatMap((type) => textsOf(type, file));
  if (ts.isLiteralTypeNode(node)) return [String(literalOf(node.literal))];
  const { node: declared, file: other } = declarationOf(node.getText(), file);
  return ts.isTypeAliasDeclaration(declared) ? textsOf(declared.type, other) : [];
}

/** JSON is the only notation that a literal of a type and its schema share. */
function literalOf(literal: ts.Node): unknown {
  return ts.isStringLiteral(literal) ? literal.text : JSON.parse(literal.getText());
}

function isOptional(member: Member): boolean {
  if (ts.isIndexSignatureDeclaration(member) || member.questionToken !== undefined) return true;
  const types = member.type !== undefined && ts.isUnionTypeNode(member.type) ? member.type.types : [];
  return types.some(({ kind }) => kind === ts.SyntaxKind.UndefinedKeyword);
}

const sources = new Map<string, ts.SourceFile>();

function sourceOf(file: string): ts.SourceFile {
  const source =
    sources.get(file) ?? ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  sources.set(file, source);
  return source;
}

/** The declaration of a type or a constant, in the file itself or where the file imports it from. */
function declarationOf(name: string, file: string): Placed<ts.Declaration> {
  for (const statement of sourceOf(file).statements) {
    const declared = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
    for (const node of declared) {
      const isWanted =
        ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isVariableDeclaration(node);
      if (isWanted && node.name.getText() === name) return { node, file };
    }
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const names = statement.importClause?.namedBindings;
    if (
      names !== undefined &&
      ts.isNamedImports(names) &&
      names.elements.some((one) => one.name.text === name)
    )
      return declarationOf(name, join(dirname(file), statement.moduleSpecifier.text));
  }
  throw new Error(`${file} has no type ${name}`);
}

/** Description and keywords in the comment of a declaration. */
function commentOf(node: ts.Node): Schema {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = (comment?.getText() ?? '').slice('/**'.length, -'*/'.length).replaceAll(/\s*\n\s*\* ?/g, ' ');
  const [says = '', ...tags] = text.split(/(?:^|\s)@(?=[a-z]+[A-Za-z]* )/);
  const description = says.trim();
  const keywords = tags.map((tag) => {
    const [, keyword = '', text = ''] = /^(\w+) (.*)$/.exec(tag.trim()) ?? [];
    const value = keywordValue(text);
    return keyword === 'example' ? ['examples', [value]] : [keyword, value];
  });
  return { ...(description === '' ? {} : { description }), ...Object.fromEntries(keywords) };
}

/** JSON, or a text without quotes. */
function keywordValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
