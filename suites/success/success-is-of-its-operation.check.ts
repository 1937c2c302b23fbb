import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { membersShown } from '../../harness/checks/error-shape.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { OperationRole } from '../../spec/operation.ts';

/** Operations with a schema of their own; all other reads have one schema in common. */
const schemas: Readonly<Partial<Record<OperationRole, string>>> = {
  'creates-session': 'session',
  'reads-session': 'session',
  'ends-session': 'session',
  'initiates-login': 'initiation',
  'consumes-login': 'return',
};
/** Members that two bodies do not have in common by chance, as a message and a status may be. */
const fewest = 3;

export const check: CollectiveCheck = comparedAnswers({
  requirement: 'SUCCESS-4',
  title: 'a 200 response is not that of another operation',
  applies: ({ role }) => role !== undefined && role in schemas,
  dedupeKey: (exchange) => shapeOf(exchange) && `${exchange.operation} ${shapeOf(exchange)}`,
  look: (all, { operation: { id, role, peers = {} }, exchanges, applicable }) => {
    const isAlike = (other: string): boolean =>
      Object.entries(peers).some(
        ([peer, operation]) =>
          operation === other && schemas[peer as OperationRole] === schemas[role ?? 'mentions-resources'],
      );
    const mine = all.filter(shapeOf);
    const others = exchanges.filter(
      ({ operation }) => operation !== id && applicable?.has(operation) === true && !isAlike(operation),
    );
    const shapes = new Set(others.map(shapeOf));
    // A body of its own, where there is one.
    const usual = mine.find((one) => !shapes.has(shapeOf(one))) ?? mine[0];
    if (usual === undefined || others.length === 0) return 'no 200 bodies of two operations were seen';
    const own = new Set(membersShown(usual));
    const foreign = mine.filter((one) => {
      const names = membersShown(one);
      return names.length >= fewest && shapes.has(shapeOf(one)) && !names.some((name) => own.has(name));
    });
    return foreign.map((exchange) => ({
      expected: `a body such as that of other calls of the operation (${[...own].join(', ')})`,
      actual: `200 with ${membersShown(exchange).join(', ')}, as ${others.find((one) => shapeOf(one) === shapeOf(exchange))?.operation} answers`,
      exchange,
    }));
  },
  statement: 'A 200 response holds the result of another operation',
  fix: 'Look for state that concurrent calls share: a variable of a handler or module, the buffer of a connection, a cache key that lacks the path. Keep each result with its own call.',
  passes: 'no 200 has the members of another operation in place of its own',
});

/** Equal for bodies with the same members; undefined where there are none. */
function shapeOf(exchange: Exchange): string | undefined {
  return membersShown(exchange).join(' ') || undefined;
}
