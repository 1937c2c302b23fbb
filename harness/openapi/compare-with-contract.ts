import type { Contract, Operation } from '../../spec/contract.ts';
import type { DocumentDeviation, OpenApiDocument } from '../model/supplied-document.ts';
import { type CompiledDocument, compileDocument } from './compile-document.ts';
import { type ContractRule, documentRules, missingOperation } from './document-rules.ts';
import type { DescribedOperation } from './find-operation.ts';
import { type OperationView, operationRules } from './operation-rules.ts';
import { securityOf } from './read-security.ts';

/** All deviations of a document from the contract, those of the whole document first. */
export function compareWithContract(
  document: OpenApiDocument,
  { operations }: Pick<Contract, 'operations'>,
): readonly DocumentDeviation[] {
  const compiled = compileDocument(document);
  compiled.compileAll(operations);
  return [
    ...deviations(documentRules, { document, compiled, operations }),
    ...operations.flatMap((operation) => {
      const described = compiled.find(operation);
      return described === undefined
        ? deviations([missingOperation], { compiled, operation }, operation)
        : deviations(operationRules, viewOf(compiled, operation, described), operation);
    }),
  ];
}

function deviations<View>(
  rules: ReadonlyArray<ContractRule<View>>,
  view: View,
  operation?: Operation,
): readonly DocumentDeviation[] {
  return rules.flatMap(({ kind, statement, expected, fix, clause, read }) =>
    [read(view) ?? []].flat().map(({ actual, at, subject }) => {
      const facts: Readonly<Record<string, unknown>> = { ...operation, subject };
      const fill = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (_, name) => String(facts[name]));
      return {
        operation: operation?.id,
        kind: fill(kind).toLowerCase().replaceAll(' ', '-'),
        statement: fill(statement),
        expected: fill(expected),
        actual,
        fix: fill(fix),
        ...(clause === undefined ? {} : { clause }),
        at,
      };
    }),
  );
}

function viewOf(
  compiled: CompiledDocument,
  operation: Operation,
  described: DescribedOperation,
): OperationView {
  const { place } = described;
  const responses = place.at('responses');
  const isDeclared = (status: number): boolean => responses?.at(String(status)) !== undefined;
  // Interim responses (1XX) are not final.
  const others = (responses?.entries() ?? [])
    .map(([status]) => status)
    .filter((status) => /^(?:[2-5](?:\d\d|XX)|default)$/i.test(status))
    .filter((status) => !operation.statuses.map(String).includes(status));
  const isSuccess = (status: string): boolean => /^[23]/.test(status);
  // The rule on missing statuses reports a range in place of one.
  const isRange = (status: string): boolean => /^(?:default|4XX)$/i.test(status);
  const isComplete = operation.statuses.every(isDeclared);
  return {
    operation,
    described,
    place,
    security: securityOf(compiled.root, described),
    body: place.at('requestBody')?.end,
    success: responses?.at('200')?.end,
    responsesAt: responses?.steps ?? place.steps,
    successes: others.filter(isSuccess),
    errors: others.filter((status) => !isSuccess(status) && (isComplete || !isRange(status))),
  };
}
