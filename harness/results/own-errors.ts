import type { ShapeEntry } from '../model/report.ts';
import type { OwnErrors } from './identify-responder.ts';

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
