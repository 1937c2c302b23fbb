import ts from '@typescript/typescript6';

/** A small change of a source text that its tests should notice. */
export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const { SyntaxKind: Kind } = ts;

/** Operators and the operators that replace them. */
const operators: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [Kind.EqualsEqualsEqualsToken, '!=='],
  [Kind.ExclamationEqualsEqualsToken, '==='],
  [Kind.LessThanToken, '<='],
  [Kind.LessThanEqualsToken, '<'],
  [Kind.GreaterThanToken, '>='],
  [Kind.GreaterThanEqualsToken, '>'],
  [Kind.AmpersandAmpersandToken, '||'],
  [Kind.BarBarToken, '&&'],
  [Kind.PlusToken, '-'],
  [Kind.MinusToken, '+'],
]);

/** All mutants of a source text: replaced operators, negated conditions, changed literals, removed statements. */
export function mutantsIn(text: string): readonly Mutant[] {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const replace = (node: ts.Node, replacement: string): void => {
    mutants.push({ start: node.getStart(source), end: node.getEnd(), replacement });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const { operatorToken, left, right } = node;
      const isOfText = [left, right].some(
        (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
      );
      const replacement = operators.get(operatorToken.kind);
      if (replacement !== undefined && !isOfText) replace(operatorToken, replacement);
    } else if (ts.isIfStatement(node)) replace(node.expression, `!(${node.expression.getText(source)})`);
    else if (ts.isConditionalExpression(node))
      replace(node.condition, `!(${node.condition.getText(source)})`);
    else if (ts.isNumericLiteral(node)) replace(node, `${Number(node.text) + 1}`);
    else if (node.kind === Kind.TrueKeyword) replace(node, 'false');
    else if (node.kind === Kind.FalseKeyword) replace(node, 'true');
    else if (ts.isExpressionStatement(node)) replace(node, ';');
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}
