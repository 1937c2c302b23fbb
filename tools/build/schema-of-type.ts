import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from '@typescript/typescript6';
import { keptAt } from '../../harness/kept-at.ts';
import { tried } from '../../harness/tried.ts';

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

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

  declared(node: Declaration): Schema {
    const body = ts.isTypeAliasDeclaration(node)
      ? this.#schemaOf(node.type)
      : ts.isVariableDeclaration(node) && node.initializer !== undefined
        ? { const: literalOf(node.initializer) }
        : this.#objectOf(membersOf(node));
    return { ...body, ...commentOf(node) };
  }

  /** A reference to an interface, or the schema of anything else that has a name. */
  #named(node: ts.EntityName): Schema {
    const name = node.getText();
    const known = this.#known[name];
    if (known !== undefined) return known;
    const declared = declarationOf(name, fileOf(node));
    if (!ts.isInterfaceDeclaration(declared)) return this.declared(declared);
    const key = `${name[0]?.toLowerCase()}${name.slice(1)}`;
    if (this.definitions[key] === undefined) {
      this.definitions[key] = {};
      this.definitions[key] = this.declared(declared);
    }
    return { $ref: `#/$defs/${key}` };
  }

  #schemaOf(node: ts.TypeNode): Schema {
    if (node.kind === ts.SyntaxKind.UnknownKeyword) return {};
    const primitive = primitives.get(node.kind);
    if (primitive !== undefined) return { type: primitive };
    if (ts.isTypeOperatorNode(node)) return this.#schemaOf(node.type);
    if (ts.isArrayTypeNode(node)) return { type: 'array', items: this.#schemaOf(node.elementType) };
    if (ts.isTupleTypeNode(node)) return this.#tupleOf(node);
    if (ts.isUnionTypeNode(node)) return this.#unionOf(node);
    if (ts.isTypeQueryNode(node)) return this.#named(node.exprName);
    if (ts.isIndexedAccessTypeNode(node)) return this.#memberOf(accessed(node));
    if (ts.isLiteralTypeNode(node)) {
      const value = literalOf(node.literal);
      return value === null ? { type: 'null' } : { const: value };
    }
    if (!ts.isTypeReferenceNode(node)) return this.#objectOf(membersOf(node));
    const [first, second] = node.typeArguments ?? [];
    if (first === undefined) return this.#named(node.typeName);
    switch (node.typeName.getText()) {
      case 'ReadonlyArray':
        return { type: 'array', items: this.#schemaOf(first) };
      case 'Readonly':
      case 'Partial':
        return this.#schemaOf(first);
      case 'Record':
        return this.#recordOf(this.#schemaOf(first), second);
      default:
        return this.#objectOf(membersOf(node));
    }
  }

  #recordOf({ type, ...names }: Schema, values: ts.TypeNode | undefined): Schema {
    return {
      type: 'object',
      ...(Object.keys(names).length === 0 ? {} : { propertyNames: { type, ...names } }),
      ...(values && { additionalProperties: this.#schemaOf(values) }),
    };
  }

  /** A tuple whose elements are all of one type. */
  #tupleOf(node: ts.TupleTypeNode): Schema {
    const [items, ...others] = node.elements.map((element) =>
      this.#schemaOf(ts.isNamedTupleMember(element) ? element.type : element),
    );
    if (others.some((other) => JSON.stringify(other) !== JSON.stringify(items))) throw noSchema(node);
    return { type: 'array', items, minItems: node.elements.length, maxItems: node.elements.length };
  }

  #unionOf(node: ts.UnionTypeNode): Schema {
    const types = node.types.filter((type) => !isUndefined(type));
    const members = types.map((type) => this.#schemaOf(type));
    const [first = {}, second] = members;
    if (second === undefined) return first;
    const values = members.map((member) => member['const']);
    if (values.every((value) => typeof value === 'string')) return { type: 'string', enum: values };
    // What other keywords say is of one type each.
    if (members.every((member) => typeof member['type'] === 'string'))
      return { ...Object.assign({}, ...members), type: members.map((member) => member['type']) };
    // A member that only the first of two interfaces requires tells them apart, so that errors are about the right one.
    const [all = [], others] = types.map((type) => requiredOf(membersOf(type)));
    const own = all.find((name) => others?.includes(name) === false);
    if (members.length > 2 || own === undefined) throw noSchema(node);
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    return { if: { required: [own], properties: { [own]: true } }, then: first, else: second };
  }

  #objectOf(members: Members): Schema {
    const properties = [...members].map(([name, member]) => [name, this.#memberOf(member)] as const);
    const { [anyName]: additionalProperties = false, ...named } = Object.fromEntries(properties);
    const required = requiredOf(members);
    return {
      type: 'object',
      additionalProperties,
      ...(required.length === 0 ? {} : { required }),
      properties: named,
    };
  }

  #memberOf(node: Member): Schema {
    return { ...(node.type && this.#schemaOf(node.type)), ...commentOf(node) };
  }
}

const primitives: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.StringKeyword, 'string'],
  [ts.SyntaxKind.NumberKeyword, 'number'],
  [ts.SyntaxKind.BooleanKeyword, 'boolean'],
]);

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.VariableDeclaration;
type Member = ts.PropertySignature | ts.IndexSignatureDeclaration;
type Members = ReadonlyMap<string, Member>;

/** Stands for the names that an index signature allows. */
const anyName = '*';

function membersOf(node: ts.Node): Members {
  const joined = (parts: readonly ts.Node[] = []): Members =>
    new Map(parts.flatMap((part) => [...membersOf(part)]));
  if (ts.isTypeAliasDeclaration(node)) return membersOf(node.type);
  if (ts.isIntersectionTypeNode(node)) return joined(node.types);
  if (ts.isIndexedAccessTypeNode(node)) return joined([accessed(node).type ?? node.objectType]);
  if (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)) {
    const parents = ts.isInterfaceDeclaration(node) ? node.heritageClauses : [];
    const own = node.members.filter(
      (member) => ts.isPropertySignature(member) || ts.isIndexSignatureDeclaration(member),
    );
    const named = own.map((member) => [member.name?.getText() ?? anyName, member] as const);
    return new Map([...joined(parents?.flatMap(({ types }) => types)), ...named]);
  }
  if (!ts.isTypeReferenceNode(node) && !ts.isExpressionWithTypeArguments(node)) throw noSchema(node);
  const name = (ts.isTypeReferenceNode(node) ? node.typeName : node.expression).getText();
  const [first, second] = node.typeArguments ?? [];
  if (first === undefined) return membersOf(declarationOf(name, fileOf(node)));
  if ((name !== 'Pick' && name !== 'Omit') || second === undefined) throw noSchema(node);
  const names = textsOf(second);
  return new Map([...membersOf(first)].filter(([member]) => names.includes(member) === (name === 'Pick')));
}

/** The member that `Type['member']` is the type of. */
function accessed(node: ts.IndexedAccessTypeNode): Member {
  const [name = ''] = textsOf(node.indexType);
  const member = membersOf(node.objectType).get(name);
  if (member === undefined) throw noSchema(node);
  return member;
}

function textsOf(node: ts.Node): readonly string[] {
  if (ts.isUnionTypeNode(node)) return node.types.flatMap(textsOf);
  if (ts.isLiteralTypeNode(node)) return [String(literalOf(node.literal))];
  if (ts.isTypeAliasDeclaration(node)) return textsOf(node.type);
  return textsOf(declarationOf(node.getText(), fileOf(node)));
}

/** JSON is the only notation that a literal of a type and its schema share. */
function literalOf(literal: ts.Node): unknown {
  return ts.isStringLiteral(literal) ? literal.text : JSON.parse(literal.getText());
}

function requiredOf(members: Members): readonly string[] {
  const isOptional = (member: Member): boolean =>
    ts.isIndexSignatureDeclaration(member) ||
    member.questionToken !== undefined ||
    (member.type !== undefined && ts.isUnionTypeNode(member.type) && member.type.types.some(isUndefined));
  return [...members].flatMap(([name, member]) => (isOptional(member) ? [] : [name]));
}

function isUndefined({ kind }: ts.Node): boolean {
  return kind === ts.SyntaxKind.UndefinedKeyword;
}

function noSchema(node: ts.Node): Error {
  return new Error(`${fileOf(node)}: no schema for ${node.getText()}`);
}

function fileOf(node: ts.Node): string {
  return node.getSourceFile().fileName;
}

const sources = new Map<string, ts.SourceFile>();

function sourceOf(file: string): ts.SourceFile {
  const read = (): ts.SourceFile =>
    ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  return keptAt(sources, file, read);
}

/** The declaration of a type or a constant, in the file itself or where the file imports it from. */
function declarationOf(name: string, file: string): Declaration {
  for (const statement of sourceOf(file).statements) {
    if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
      const names = statement.importClause?.namedBindings?.getText() ?? '';
      if (names.split(/\W+/).includes(name))
        return declarationOf(name, join(dirname(file), statement.moduleSpecifier.text));
    }
    const declared = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
    for (const node of declared) {
      const isWanted =
        ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isVariableDeclaration(node);
      if (isWanted && node.name.getText() === name) return node;
    }
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
    const [, keyword = '', value = ''] = /^(\w+) (.*)$/.exec(tag.trim()) ?? [];
    // JSON, or a text without quotes.
    const meant = tried(JSON.parse, value) ?? value;
    return keyword === 'example' ? ['examples', [meant]] : [keyword, meant];
  });
  return { ...(description === '' ? {} : { description }), ...Object.fromEntries(keywords) };
}
