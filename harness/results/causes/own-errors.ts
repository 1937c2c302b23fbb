import { isBlockedInFront } from '../../evidence/answer.ts';
import { bodyFormOf, identifyResponder, memberNamesOf } from '../../evidence/identify-responder.ts';
import { stepsOf } from '../../json-pointers.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Responder, ShapeEntry } from '../../model/report.ts';

/** Share of the service's error bodies that must have a member for it to be characteristic. */
const characteristic = 0.5;

/** The common members of most JSON error bodies of a run: the service's own errors, because other responders answer less often. */
export function ownErrorsOf(shapes: readonly ShapeEntry[]): readonly string[] {
  // Each operation and status counts once, so that fuzzing one place does not decide for all.
  const bodies = shapes.filter(
    ({ status, shape }) =>
      status >= 400 && (shape.members.find(({ path }) => path === '')?.types.object ?? 0) > 0,
  );
  const shares = new Map<string, number>();
  for (const { path, seen, of } of bodies.flatMap(({ shape }) => shape.members)) {
    if (/^\/[^/]+$/.test(path) && of > 0) shares.set(path, (shares.get(path) ?? 0) + seen / of);
  }
  const common = [...shares].filter(([, share]) => share > bodies.length * characteristic);
  return common.flatMap(([path]) => stepsOf(path)).sort();
}

const firewall = { name: 'A firewall or proxy', role: 'firewall' } as const;

/** The finding's `answeredBy`: who sent the response instead of the service, whose own errors are described by `own`. */
export function responderOf(exchange: Exchange, own: readonly string[]): Responder | undefined {
  if (exchange.blockedInFront === true) {
    const why = 'the same body under 403 for everything that looks like an attack, at every operation';
    return { ...firewall, why };
  }
  const contrast = own.length === 0 ? '' : `; the service's own errors are JSON with ${own.join(', ')}`;
  const identified = identifyResponder(exchange);
  if (identified !== undefined) {
    const { name, role } = identified.responder;
    return isOwn(exchange, own) ? undefined : { name, role, why: `${identified.why}${contrast}` };
  }
  // A page under 403 does not come from a service whose errors are JSON.
  if (own.length === 0 || !isBlockedInFront(exchange)) return undefined;
  return { ...firewall, why: `an HTML page under 403${contrast}` };
}

function isOwn(exchange: Exchange, own: readonly string[]): boolean {
  if (own.length === 0 || bodyFormOf(exchange) !== 'json object') return false;
  const names = memberNamesOf(exchange);
  // A framework's default body may happen to have the members of the service's own among others.
  return own.every((name) => names.includes(name)) && names.length < own.length + 2;
}
