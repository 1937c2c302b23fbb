import { isBlockedInFront } from '../../evidence/answer.ts';
import { bodyFormOf, identifyResponder, memberNamesOf } from '../../evidence/identify-responder.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Responder, ShapeEntry } from '../../model/report.ts';

/** Share of the service's error bodies that must have a member for it to be characteristic. */
const characteristic = 0.5;

/** What most JSON error bodies of a run have in common: the service's own, as others answer now and then. */
export function ownErrorsOf(shapes: readonly ShapeEntry[]): OwnErrors {
  let bodies = 0;
  const seen = new Map<string, number>();
  for (const { status, shape } of shapes) {
    if (status < 400) continue;
    // Each operation and status counts once, so that fuzzing one place does not decide for all.
    const root = shape.members.find(({ path }) => path === '');
    if ((root?.types.object ?? 0) === 0) continue;
    bodies += 1;
    for (const { path, seen: times, of } of shape.members) {
      if (/^\/[^/]+$/.test(path) && of > 0)
        seen.set(path.slice(1), (seen.get(path.slice(1)) ?? 0) + times / of);
    }
  }
  const members = [...seen].filter(([, share]) => share > bodies * characteristic).map(([name]) => name);
  return { members: members.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')).sort() };
}

/** The finding's `answeredBy`: who sent the response instead of the service, whose own errors are described by `own`. */
export function responderOf(exchange: Exchange, own: OwnErrors): Responder | undefined {
  const identified = identifyResponder(exchange);
  if (identified === undefined || exchange.blockedInFront === true) return unknownFirewall(exchange, own);
  if (isOwn(exchange, own)) return undefined;
  const { name, role } = identified.responder;
  const contrast =
    own.members.length === 0 ? '' : `; the service's own errors are JSON with ${own.members.join(', ')}`;
  return { name, role, why: `${identified.why}${contrast}` };
}

const firewall = 'A firewall or proxy';
const sameBlock = 'the same body under 403 to what looks like an attack, whatever the operation';

/** A page under 403 is not from a service whose errors are JSON, whoever wrote it. */
function unknownFirewall(exchange: Exchange, { members }: OwnErrors): Responder | undefined {
  if (exchange.blockedInFront === true) return { name: firewall, role: 'firewall', why: sameBlock };
  if (members.length === 0 || !isBlockedInFront(exchange)) return undefined;
  return {
    name: firewall,
    role: 'firewall',
    why: `an HTML page under 403; the service's own errors are JSON with ${members.join(', ')}`,
  };
}

/** What the service's own error bodies have in common. */
export interface OwnErrors {
  /** Top-level members that most of them have; empty where no error was a JSON object. */
  readonly members: readonly string[];
}

function isOwn(exchange: Exchange, { members }: OwnErrors): boolean {
  if (members.length === 0 || bodyFormOf(exchange) !== 'json object') return false;
  const names = memberNamesOf(exchange);
  // A framework's default body may happen to have the members of the service's own among others.
  return members.every((name) => names.includes(name)) && names.length < members.length + 2;
}
