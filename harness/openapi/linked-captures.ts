import type { Operation } from '../../spec/contract.ts';
import type { Capture } from '../model/target.ts';
import type { CompiledDocument } from './compile-document.ts';
import { type DescribedOperation, findOperation, parameterName } from './find-operation.ts';
import type { Place } from './place.ts';

/** The source of a path parameter's value according to a link of the document. */
export function suggestedCapture(
  document: CompiledDocument,
  operations: readonly Operation[],
  name: string,
): Capture | undefined {
  for (const source of operations) {
    for (const link of document.find(source)?.place.items('responses', '200', 'links') ?? []) {
      const pointer = linkedPointer(document, operations, link, name);
      if (pointer !== undefined) return { from: source.id, pointer };
    }
  }
  return undefined;
}

function linkedPointer(
  document: CompiledDocument,
  operations: readonly Operation[],
  link: Place,
  name: string,
): string | undefined {
  const target = linkTarget(document, link);
  if (target === undefined) return undefined;
  const operation = operations.find(
    (one) => one.pathParameters.includes(name) && findOperation([target], one) !== undefined,
  );
  const theirs = operation && parameterName(target, operation, name);
  if (theirs === undefined) return undefined;
  // Braces mark expressions within a text; some authors also write them around a whole expression.
  return [theirs, `path.${theirs}`]
    .map((key) => String(link.read('parameters', key)))
    .map((expression) => /^\{?\$response\.body#(\/[^{}]*)\}?$/.exec(expression)?.[1])
    .find((pointer) => pointer !== undefined);
}

function linkTarget(document: CompiledDocument, link: Place): DescribedOperation | undefined {
  const id = link.read('operationId');
  const reference = link.read('operationRef');
  if (typeof id === 'string')
    return document.operations.find(({ place }) => place.read('operationId') === id);
  if (typeof reference !== 'string') return undefined;
  const target = document.root.refer(reference)?.value;
  return document.operations.find(({ place }) => place.value === target);
}
