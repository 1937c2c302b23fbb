import fc from 'fast-check';
import { baseUrlParts } from '../../harness/base-url-parts.ts';
import type { Target } from '../../harness/model/target.ts';
import { KnownValues } from '../../harness/requests/known-values.ts';
import type { Contract, Operation } from '../../spec/contract.ts';

/** One read with values for its path, exactly as they go out. */
export interface PathInput {
  readonly operation: Operation;
  readonly rawParameters: Readonly<Record<string, string>>;
  /** What bare undici asks for, prefix of the base URL included. */
  readonly path: string;
}

/** Inputs as fuzzing draws them, for all reads with path parameters in turn: every second one has known values only. */
export function drawInputs(contract: Contract, target: Target, count: number): readonly PathInput[] {
  const known = new KnownValues(target, contract);
  const operations = contract.operations.filter(
    ({ method, pathParameters }) => method === 'GET' && pathParameters.length > 0,
  );
  const prefix = baseUrlParts(target.baseUrl).basePath;
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
  const values = fc.sample(text, { seed: 1, numRuns: count });
  return values.map((value, at) => {
    const operation = operations[(at >> 1) % operations.length];
    if (operation === undefined) throw new Error('the contract has no read with path parameters');
    const rawParameters = Object.fromEntries(
      operation.pathParameters.map((name, place) => {
        const valid = known.candidates(operation, name)[0];
        const isDrawn =
          valid === undefined || (at % 2 === 1 && place === operation.pathParameters.length - 1);
        return [name, encodeURIComponent(isDrawn ? value : valid)];
      }),
    );
    const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => rawParameters[name] ?? '');
    return { operation, rawParameters, path: prefix + path };
  });
}
