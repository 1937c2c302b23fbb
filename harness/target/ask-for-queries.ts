import { statusOf } from '../evidence/answer.ts';
import type { RunContext } from '../requests/run-context.ts';
import { askOnce } from './preflight.ts';

/** Calls the operations whose query parameters the contract does not show, and notes which are refused without any. */
export async function askForQueries(context: RunContext): Promise<void> {
  const { contract, known, keys } = context;
  const open = contract.operations.filter(
    (operation) => operation.queryNotShown === true && known.query(operation) === undefined,
  );
  await Promise.all(
    open.map(async (operation) => {
      const exchange = await askOnce(
        context,
        operation,
        'is it answered without query parameters?',
        keys.none,
      );
      if (exchange !== undefined && statusOf(exchange) === 400) known.refusedWithoutQuery(operation);
    }),
  );
}
