import { findingLike, pairLike } from './patterns.ts';
import type { Sighting } from './sighting.ts';

/** One defect, where it is known. */
const oneDefect = 'isolated seen-defect !ERROR-3';

/** A decision on keys that comes and goes. */
const undecided = 'of-keys|401|403 comes-and-goes !by-others !mixed-up-keys';

/** When one finding stands for another with another response, or at another operation. */
interface Explanation {
  /** A pattern of the finding that is explained. */
  readonly one: string;
  /** A pattern of the finding that stands for it. */
  readonly other: string;
  /** A pattern of both. */
  readonly both?: string;
}

/** The first that fits counts. */
const explanations: readonly Explanation[] = [
  // A cache, in place of the same response of the operation without a proof, and of what a session no longer shows.
  { one: '!named-cause of-any-key', other: 'from-cache', both: 'same-operation same-status' },
  // Bodies alike of which one violates a must, in place of those that violate a should, under any status if they come and go.
  { one: 'should of-bodies', other: 'must of-bodies', both: 'same-came|both-come-and-go same-wrong' },
  // A shape that the errors of a status have, in place of what one of them lacks.
  { one: 'should ERROR-2', other: 'must ERROR-2' },
  // The body of a 429, which one place writes for all operations.
  { one: 'ERROR-1 429', other: 'RATE-1', both: 'same-answer' },
  // A status that the contract does not have, in place of its body, and of the same status where nobody looked into it.
  { one: 'undeclared ERROR-1|ERROR-2', other: 'isolated must !ERROR-1 !ERROR-2', both: 'same-answer' },
  { one: 'undeclared STATUS-1 !isolated', other: 'isolated must !ERROR-1 !ERROR-2', both: 'same-answer' },
  // A body that is too long, in place of a proxy that cannot send all of it, as the service has refused it before its end.
  { one: '502|reset', other: '413', both: 'no-longer-body' },
  // One defect, in place of several of which it is one, and of a body that is no JSON without the coding that it has.
  { one: 'ERROR-3|compressed-body failed', other: oneDefect, both: 'same-words no-more-defects' },
  { one: 'ERROR-3 undeclared', other: oneDefect, both: 'same-words no-more-defects' },
  // The memory of a missing resource, in place of a known one that is missing for a while.
  { one: 'SURFACE-1 404 !sure !remembered-miss', other: 'remembered-miss' },
  // A stack trace, which names files.
  { one: 'HYGIENE-3', other: 'HYGIENE-1', both: 'same-operation same-status' },
  // Two keys that are mixed up, in place of a decision on keys that comes and goes: the one gets what the other may have,
  // and is refused what it may have itself.
  { one: undecided, other: 'mixed-up-keys company|!steady' },
  { one: `${undecided} deviates`, other: 'mixed-up-keys' },
  { one: 'of-keys !AUTH-5 accepted !company|at-some-moments', other: 'AUTH-5', both: 'same-operation' },
  { one: 'refused-for-scope', other: 'SCOPE-1 accepted' },
  { one: 'scoped 403 !by-others', other: 'SCOPE-1 accepted', both: 'same-operation' },
  // No key that is enough at some moments, in place of one that lacks the scope, and of a bad one elsewhere.
  { one: 'AUTH-3 accepted !granted', other: 'AUTH-2 accepted of-moment' },
  { one: 'SCOPE-1 accepted !granted', other: 'AUTH-2 accepted of-moment', both: 'same-operation' },
  // A bad key that is taken for a good one, in place of the good one that is taken for a bad one now and then.
  { one: 'AUTH-4 401 comes-and-goes', other: 'AUTH-3 accepted' },
  // A call that fails beside others or after another one, in place of calls that fail likewise now and then.
  {
    one: 'failed of-moment|!sure !beside-others',
    other: 'failed beside-others|left-behind',
    both: 'same-words',
  },
  // A valid call that is refused beside others, in place of the same refusal after something.
  { one: 'after-a-call', other: 'beside-others', both: 'same-operation same-refusal' },
  // A wrong 200 that another call leaves behind, in place of the same one to a client whose calls came after such a call.
  { one: 'CLIENT-1 accepted !company', other: 'left-behind', both: 'same-operation same-words' },
  // A refusal at some moments, in place of the same one where it came with each try.
  { one: 'of-keys !deviates', other: 'of-moment', both: 'same-requirement same-refusal' },
  // A valid call of a sequence that is refused, in place of the same refusal of one that carries more, or comes later.
  { one: 'CLIENT-1|SURFACE-1', other: 'sequence scoped !riders', both: 'same-refusal' },
  // Calls that fail at some moments, in place of one that failed so once, whatever went with it.
  { one: 'failed company !sure !of-spell', other: 'at-some-moments of-spell', both: 'same-words' },
  // The call that gives a key the scope, in place of each acceptance that follows.
  { one: 'SCOPE-1 accepted !granted', other: 'granted' },
  // The same header that leads to the same refusal, whatever else the call has.
  { one: 'should with-a-header', other: 'must', both: 'same-operation same-company same-refusal' },
  // A key that is accepted where nothing after it refuses the call, in place of where something does: elsewhere, a 403 is the
  // wrong status for a key that is refused.
  { one: 'AUTH-3|SCOPE-1 refused-later', other: 'AUTH-2 accepted', both: 'same-operation' },
  { one: 'AUTH-2|AUTH-3 refused-later', other: 'accepted', both: 'same-requirement same-operation' },
  { one: 'AUTH-2|AUTH-3 refused-later !403', other: 'accepted', both: 'same-requirement same-label' },
  { one: 'SCOPE-1 refused-later', other: 'SCOPE-1 accepted' },
  // A call without a body that is let through, in place of one whose body is blank, null or under another media type: of
  // such a body, parsers leave none.
  { one: 'let-through as-no-body', other: 'REQUEST-1 let-through', both: 'same-operation' },
  // A refusal under 200, in place of the acceptance of what it refuses.
  { one: 'accepted', other: 'SUCCESS-4', both: 'same-operation same-members' },
  // An answer about something else, in place of the change that reads do not show.
  { one: 'SESSION-3', other: 'cached|another-resource|shared-session', both: 'among-its-steps' },
  // A cancel that fails without a refusal before it, in place of one that fails after a refusal.
  { one: 'SESSION-4', other: 'SESSION-2', both: 'same-operation same-refusal !refused-after' },
  // A refused call that changed the session, in place of what a later call finds changed, and of a refusal that should not have.
  { one: 'SESSION-4 should', other: 'SESSION-4 must' },
  { one: 'AUTH|SCOPE|SESSION !SESSION-4', other: 'SESSION-4', both: 'refused-before' },
  // A key that is accepted without its scope, in place of a call of a sequence that is.
  { one: 'sequence accepted !scoped', other: 'of-keys accepted', both: 'same-kind-of-key' },
  // An id that creates at once share, in place of one that creates in turn do, as of a clock.
  { one: 'SESSION-5 should shared-session', other: 'SESSION-5 must', both: 'same-operation' },
  // Another resource than the requested one, in place of an unknown one that is found, and of what sequences show beside.
  {
    one: 'accepted RESOURCE-1|sequence RESOURCE-1|should',
    other: 'another-resource',
    both: 'same-operation',
  },
  // A session that is another one from its first read on, in place of the same after later calls.
  {
    one: 'SESSION !SESSION-1 another-resource',
    other: 'SESSION-1 another-resource',
    both: 'same-operation',
  },
  // A body that ends where its length says, in place of the next response, which begins with the rest.
  { one: 'breaks-off', other: 'cut-off', both: 'same-operation' },
  // Any response that breaks off, in place of a compressed one that does.
  { one: 'breaks-off-compressed', other: 'breaks-off' },
  // An empty success, in place of an empty error, at times.
  { one: 'ERROR-1 empty !steady', other: 'SUCCESS-2 empty', both: 'same-operation' },
];

const rows = explanations.map(({ one, other, both }) => ({
  isExplained: findingLike(one),
  mayExplain: findingLike(other),
  isOfBoth: both === undefined ? () => true : pairLike(both),
}));

/** The finding that stands for another one with another response or at another operation; undefined for none. */
export function explanationOf(one: Sighting, all: readonly Sighting[]): Sighting | undefined {
  for (const { isExplained, mayExplain, isOfBoth } of rows) {
    if (!isExplained(one)) continue;
    const found = all.find((other) => other !== one && mayExplain(other) && isOfBoth(other, one));
    if (found !== undefined) return found;
  }
  return undefined;
}
