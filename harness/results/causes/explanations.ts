import { findingLike, pairLike } from './facts.ts';
import type { Sighting } from './sighting.ts';

/** One defect, where it is known. */
const oneDefect = 'isolated seen-defect !ERROR-3';

/** A decision on keys that comes and goes. */
const undecided = 'of-keys|401|403 comes-and-goes !by-others !mixed-up-keys';

/** When one finding explains another one with a different response or at a different operation. */
interface Explanation {
  /** A pattern of the finding that is explained. */
  readonly one: string;
  /** A pattern of the finding that explains it. */
  readonly other: string;
  /** A pattern of both. */
  readonly both?: string;
}

/** The first that fits counts. */
const explanations: readonly Explanation[] = [
  // A proven cache, in place of the same response of the operation without proof, and of changes that a session does not show.
  { one: '!named-cause of-any-key', other: 'from-cache', both: 'same-operation same-status' },
  // A body that violates a must, in place of similar bodies that violate a should, under any status if both are intermittent.
  { one: 'should of-bodies', other: 'must of-bodies', both: 'same-came|both-come-and-go same-wrong' },
  // A success of a plain valid call under another status, in place of the same one of a call that carries or follows more.
  { one: '!SUCCESS-1', other: 'SUCCESS-1 plain !riders', both: 'same-operation same-answer' },
  // A wrong body that is seen now and then, in place of the same one that was seen once in some company.
  {
    one: 'company !sure !at-some-moments',
    other: 'SUCCESS-2 comes-and-goes !company',
    both: 'same-came elsewhere',
  },
  // The shape of all errors of a status, in place of the field that one of them lacks.
  { one: 'should ERROR-2', other: 'must ERROR-2' },
  // The header that decides on the body of an error, in place of the same body where too few errors came to tell.
  { one: 'ERROR-1 !company', other: 'ERROR-1 with-a-header', both: 'same-answer same-words' },
  // A page for clients that accept HTML, in place of the one under 403, which a firewall may have written as well.
  { one: 'ERROR-1 403 page-asked-for !with-a-header', other: 'ERROR-1 page-asked-for with-a-header' },
  // The body of a 429, which one place writes for all operations.
  { one: 'ERROR-1 429', other: 'RATE-1', both: 'same-answer' },
  // An undeclared status, in place of its body, and of the same status without an isolated cause.
  { one: 'undeclared ERROR-1|ERROR-2', other: 'isolated must !ERROR-1 !ERROR-2', both: 'same-answer' },
  { one: 'undeclared ERROR-1|ERROR-2', other: 'STATUS-1', both: 'same-answer' },
  { one: 'undeclared STATUS-1 !isolated', other: 'isolated must !ERROR-1 !ERROR-2', both: 'same-answer' },
  // A body that is too long, in place of a proxy that cannot send all of it because the service refused it before its end.
  { one: '502|reset', other: '413', both: 'no-longer-body' },
  // One defect, in place of several that include it, and of a compressed body that is not JSON before decompression.
  { one: 'ERROR-3|compressed-body failed', other: oneDefect, both: 'same-words no-more-defects' },
  { one: 'ERROR-3 undeclared', other: oneDefect, both: 'same-words no-more-defects' },
  // The memory of a missing resource, in place of a known one that is missing for a while.
  { one: 'SURFACE-1 404 !sure !remembered-miss', other: 'remembered-miss' },
  // A stack trace, which names files.
  { one: 'HYGIENE-3', other: 'HYGIENE-1', both: 'same-operation same-status' },
  // Two keys that are mixed up, in place of intermittent decisions on keys: one key gets responses for the other,
  // and is refused responses of its own.
  { one: undecided, other: 'mixed-up-keys company|!steady' },
  { one: `${undecided} deviates`, other: 'mixed-up-keys' },
  { one: 'of-keys !AUTH-5 accepted !company|at-some-moments', other: 'AUTH-5', both: 'same-operation' },
  { one: 'refused-for-scope', other: 'SCOPE-1 accepted' },
  { one: 'scoped 403 !by-others', other: 'SCOPE-1 accepted', both: 'same-operation' },
  // No key that is enough at some moments, in place of one that lacks the scope, and of a bad one elsewhere.
  { one: 'AUTH-3 accepted !granted', other: 'AUTH-2 accepted of-moment' },
  { one: 'SCOPE-1 accepted !granted', other: 'AUTH-2 accepted of-moment', both: 'same-operation' },
  // A bad key that is accepted, in place of a good one that is sometimes refused.
  { one: 'AUTH-4 401 comes-and-goes', other: 'AUTH-3 accepted' },
  // A call that fails among concurrent calls or after another one, in place of calls that sometimes fail in the same way.
  {
    one: 'failed of-moment|!sure !beside-others',
    other: 'failed beside-others|left-behind',
    both: 'same-words',
  },
  // A valid call that is refused among concurrent calls, in place of the same refusal after another call.
  { one: 'after-a-call', other: 'beside-others', both: 'same-operation same-refusal' },
  // A wrong 200 that another call leaves behind, in place of the same one to a client whose calls came after such a call.
  { one: 'CLIENT-1 accepted !company', other: 'left-behind', both: 'same-operation same-words' },
  // An intermittent refusal, in place of the same refusal in every attempt.
  { one: 'of-keys !deviates', other: 'of-moment', both: 'same-requirement same-refusal' },
  // A refused valid call of a sequence, in place of the same refusal of one that carries more or comes later.
  { one: 'CLIENT-1|SURFACE-1', other: 'sequence scoped !riders', both: 'same-refusal' },
  // A valid call that fails each time after the same steps, in place of the same failure at some moments.
  {
    one: 'at-some-moments of-spell',
    other: 'sequence scoped sure failed !of-spell !riders',
    both: 'same-operation same-words',
  },
  // Calls that fail intermittently, in place of one that failed in the same way once, in any company or at the same operation.
  { one: 'failed company !sure !of-spell', other: 'at-some-moments of-spell', both: 'same-words' },
  { one: 'failed !sure !of-spell', other: 'at-some-moments of-spell', both: 'same-operation same-words' },
  // A body in chunks that is refused, in place of one without any chunk.
  { one: 'body-without-chunks', other: 'chunked-body', both: 'same-words' },
  // The call that gives a key the scope, in place of each acceptance that follows.
  { one: 'SCOPE-1 accepted !granted', other: 'granted' },
  // The header that leads to a refusal, in place of the same header and refusal with other variations.
  { one: 'should with-a-header', other: 'must', both: 'same-operation same-company same-refusal' },
  // A key that is accepted where no later check refuses the call, in place of operations where one does: there, a 403 is the
  // wrong status for a key that is refused.
  { one: 'AUTH-3|SCOPE-1 refused-later', other: 'AUTH-2 accepted', both: 'same-operation' },
  { one: 'AUTH-2|AUTH-3 refused-later', other: 'accepted', both: 'same-requirement same-operation' },
  { one: 'AUTH-2|AUTH-3 refused-later !403', other: 'accepted', both: 'same-requirement same-label' },
  { one: 'SCOPE-1 refused-later', other: 'SCOPE-1 accepted' },
  // A call without a body that is let through, in place of one whose body is blank, null or under another media type: of
  // such a body, parsers leave none.
  { one: 'let-through as-no-body', other: 'REQUEST-1 let-through', both: 'same-operation' },
  // What lets a call through without any key, in place of the same with more beside it, and for a key that is bad or lacks the scope.
  { one: 'AUTH-2 accepted|refused-later', other: 'AUTH-2 accepted|refused-later', both: 'fewer-ways' },
  { one: 'AUTH-3|SCOPE-1 accepted', other: 'AUTH-2 accepted', both: 'same-way|fewer-ways' },
  // Any parameter that is refused, in place of the number of a page, and a page that is refused in place of the parameter.
  { one: 'AUTH-1 varies-query', other: 'CLIENT-1 !sends-page', both: 'same-operation same-refusal' },
  { one: 'CLIENT-1 sends-page', other: 'AUTH-1 varies-query', both: 'same-operation same-refusal' },
  // A refusal under 200, in place of the apparent acceptance of the refused call.
  { one: 'accepted', other: 'SUCCESS-4', both: 'same-operation same-members' },
  // A response about another resource, in place of a change that reads do not show.
  { one: 'SESSION-3', other: 'cached|another-resource|shared-session', both: 'among-its-steps' },
  // A cancel that fails without a refusal before it, in place of one that fails after a refusal.
  { one: 'SESSION-4', other: 'SESSION-2', both: 'same-operation same-refusal !refused-after' },
  // A refused call that changed the session, in place of a later call that finds the change; a must, in place of a should.
  { one: 'SESSION-4 should', other: 'SESSION-4 must' },
  { one: 'AUTH|SCOPE|SESSION !SESSION-4', other: 'SESSION-4', both: 'refused-before' },
  { one: 'repeated-call of-keys 404|409', other: 'SESSION-4 must' },
  // A key that is accepted without its scope, in place of a call of a sequence that is.
  { one: 'sequence accepted !scoped', other: 'of-keys accepted isolated', both: 'same-kind-of-key' },
  // An id that concurrent creates share, in place of one that consecutive creates share, such as one made from the time.
  { one: 'SESSION-5 should shared-session', other: 'SESSION-5 must', both: 'same-operation' },
  // A resource other than the requested one, in place of an unknown one that is found, and of other findings of sequences.
  {
    one: 'accepted RESOURCE-1|sequence RESOURCE-1|should',
    other: 'another-resource',
    both: 'same-operation',
  },
  // A first read that shows another session, in place of later calls that do.
  {
    one: 'SESSION !SESSION-1 another-resource',
    other: 'SESSION-1 another-resource',
    both: 'same-operation',
  },
  // A body that is cut at its stated length, in place of the next response, which begins with the rest.
  { one: 'breaks-off', other: 'cut-off', both: 'same-operation' },
  // Any response that breaks off, in place of a compressed one that does.
  { one: 'breaks-off-compressed', other: 'breaks-off' },
  // An empty success, in place of an intermittent empty error.
  { one: 'ERROR-1 empty !steady', other: 'SUCCESS-2 empty', both: 'same-operation' },
];

const rows = explanations.map(({ one, other, both }) => ({
  isExplained: findingLike(one),
  mayExplain: findingLike(other),
  isOfBoth: both === undefined ? () => true : pairLike(both),
}));

/** The finding that explains another one with a different response or at a different operation; undefined for none. */
export function explanationOf(one: Sighting, all: readonly Sighting[]): Sighting | undefined {
  for (const { isExplained, mayExplain, isOfBoth } of rows) {
    if (!isExplained(one)) continue;
    const found = all.find((other) => other !== one && mayExplain(other) && isOfBoth(other, one));
    if (found !== undefined) return found;
  }
  return undefined;
}
