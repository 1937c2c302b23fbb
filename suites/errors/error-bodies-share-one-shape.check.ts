import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { clustersOf, type ShapedAnswer, shapedAnswer, topLevel } from '../../harness/checks/error-shape.ts';
import { noErrorSeen } from '../../harness/checks/every-answer.ts';
import { inconclusive, notApplicable, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { isOk, mayBeAnotherRoute, mayBeRefusedInFront } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { compileDocument } from '../../harness/openapi/compile-document.ts';

/** Other operations with the same status that must agree before a deviation counts. */
const leastPeers = 2;

export const check: CollectiveCheck = {
  kind: 'collective',
  requirement: 'ERROR-2',
  title: 'the error bodies of all operations and statuses share one shape',
  applies: () => true,
  dedupeKey: (exchange) => {
    const sample = sampleOf(exchange);
    return sample && `${sample.operation} ${sample.status} ${JSON.stringify([...sample.members])}`;
  },
  evaluate: ({ operation, exchanges, document }) => {
    // In the order of their ids, so that the evaluation does not depend on the order of responses.
    const samples = exchanges
      .map(sampleOf)
      .filter((sample) => sample !== undefined)
      .sort((a, b) => (a.exchange.id < b.exchange.id ? -1 : 1));
    const mine = samples.filter((sample) => sample.operation === operation.id);
    const statuses = [...new Set(mine.map(({ status }) => status))];
    const reason = noErrorSeen(operation);
    if (mine.length === 0 && reason !== undefined) return notApplicable(reason);
    if (mine.length === 0) return inconclusive('no error body that is a JSON object was seen');
    // A document may make members optional, but none allows error bodies that have no member in common.
    const isDefined =
      document !== undefined && compileDocument(document).requiresErrorMembers(operation, statuses);
    const violations = [...foreign(mine, samples), ...(isDefined ? [] : unusual(mine, samples))];
    return violatedOr(violations.length > 0 || isDefined ? violations : withoutCore(mine, samples), () =>
      samples.some((sample) => sample.operation !== operation.id || sample.status !== mine[0]?.status)
        ? pass('shares its shape with the other error bodies')
        : inconclusive('no other error body was seen to compare with'),
    );
  },
};

function sampleOf(exchange: Exchange): ShapedAnswer | undefined {
  if (isOk(exchange) || mayBeAnotherRoute(exchange) || mayBeRefusedInFront(exchange)) return undefined;
  return shapedAnswer(exchange);
}

/** Bodies that share no member with those of the largest group. */
function foreign(mine: readonly ShapedAnswer[], samples: readonly ShapedAnswer[]): readonly Violation[] {
  const [main, ...others] = clustersOf(samples);
  if (main === undefined) return [];
  const names = [...new Set(main.flatMap(({ members }) => topLevel(members)))].join(', ');
  return others.flatMap((cluster) => {
    const sample = cluster.find((one) => mine.includes(one));
    if (sample === undefined) return [];
    return {
      statement: 'An error body shares no member with the other error bodies',
      expected: `a member that the other error bodies have (${names})`,
      actual: `${topLevel(sample.members).join(', ') || 'no members'} in a ${sample.status}`,
      exchange: sample.exchange,
    };
  });
}

/**
 * Bodies that lack the member which most bodies have, where all are linked by one member or another, but none is common to
 * all.
 */
function withoutCore(mine: readonly ShapedAnswer[], samples: readonly ShapedAnswer[]): readonly Violation[] {
  if (clustersOf(samples).length > 1) return [];
  const counts = new Map<string, number>();
  for (const name of samples.flatMap(({ members }) => topLevel(members)))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  const [[core, most] = ['', 0]] = [...counts].sort(([, a], [, b]) => b - a);
  const sample = mine.find(({ members }) => !members.has(core));
  if (most === samples.length || sample === undefined) return [];
  return [
    {
      statement: 'The error bodies have no member in common',
      expected: `a member that all error bodies have, such as ${core}`,
      actual: `${topLevel(sample.members).join(', ') || 'no members'} in a ${sample.status}`,
      clause: 'unusual-shape',
      exchange: sample.exchange,
    },
  ];
}

/** Bodies that differ from those of all other operations with the same status. */
function unusual(mine: readonly ShapedAnswer[], samples: readonly ShapedAnswer[]): readonly Violation[] {
  return mine.flatMap((sample) => {
    const peers = samples.filter(
      (peer) => peer.status === sample.status && peer.operation !== sample.operation,
    );
    if (new Set(peers.map((peer) => peer.operation)).size < leastPeers) return [];
    // Only deviations that this operation always shows with this status: a member that comes and goes is optional.
    const siblings = mine.filter((one) => one.status === sample.status);
    const [first, ...rest] = peers;
    for (const [path, type] of first?.members ?? []) {
      if (!rest.every((peer) => peer.members.get(path) === type) || type === 'null') continue;
      const own = siblings.map((one) => one.members.get(path));
      const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')));
      const isBelowNull = siblings.some((one) => one.members.get(parent) === 'null');
      const isMissing = own.every((kind) => kind === undefined) && !isBelowNull;
      const isOther = own.every((kind) => kind !== undefined && kind !== type && kind !== 'null');
      if (!isMissing && !isOther) continue;
      return {
        statement: 'An error body differs from those of all other operations',
        expected: `${isMissing ? path : `${path} of type ${type}`}, as at the other operations`,
        actual: isMissing ? `a ${sample.status} without ${path}` : `${path} of type ${own[0]}`,
        clause: 'unusual-shape',
        exchange: sample.exchange,
      };
    }
    return [];
  });
}
