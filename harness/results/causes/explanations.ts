import { findingLike, pairLike } from './facts.ts';
import type { Sighting } from './sighting.ts';

/** One defect, where it is known. */
const oneDefect = 'isolated seen-defect !ERROR-3';

/** A decision on keys that comes and goes. */
const undecided = 'of-keys|401|403 comes-and-goes !by-others !mixed-up-keys';

/** Patterns of a finding that is explained, of the one that explains it, and of both. */
type Explanation = readonly [one: string, other: string, both?: string];

/** The first that fits counts. */
const explanations: readonly Explanation[] = [
  // A proven cache, in place of the same response of the operation without proof, and of changes that a session does not show.
  ['!named-cause of-any-key', 'from-cache', 'same-operation same-status'],
  // A body that violates a must, in place of similar bodies that violate a should, under any status if both are intermittent.
  ['should of-bodies', 'must of-bodies', 'same-came|both-come-and-go same-wrong'],
  // A success of a plain valid call under another status, in place of the same one of a call that carries or follows more.
  ['!SUCCESS-1', 'SUCCESS-1 plain !riders', 'same-operation same-answer'],
  // A wrong body that is seen now and then, in place of the same one that was seen once in some company.
  ['company !sure !at-some-moments', 'SUCCESS-2 comes-and-goes !company', 'same-came elsewhere'],
  // The shape of all errors of a status, in place of the field that one of them lacks.
  ['should ERROR-2', 'must ERROR-2'],
  // What a refusal shows, in place of the form of its body.
  ['ERROR-1|ERROR-2', 'shown-with-refusal', 'same-operation same-status'],
  // The header that decides on the body of an error, in place of the same body where too few errors came to tell.
  ['ERROR-1 !company', 'ERROR-1 with-a-header', 'same-answer same-words'],
  // A page for clients that accept HTML, in place of the one under 403, which a firewall may have written as well.
  ['ERROR-1 403 page-asked-for !with-a-header', 'ERROR-1 page-asked-for with-a-header'],
  // The body of a 429, which one place writes for all operations.
  ['ERROR-1 429', 'RATE-1', 'same-answer'],
  // An undeclared status, in place of its body, and of the same status without an isolated cause.
  ['undeclared ERROR-1|ERROR-2', 'isolated must !ERROR-1 !ERROR-2', 'same-answer'],
  ['undeclared ERROR-1|ERROR-2', 'STATUS-1', 'same-answer'],
  ['undeclared STATUS-1 !isolated', 'isolated must !ERROR-1 !ERROR-2', 'same-answer'],
  // A body that is too long, in place of a proxy that cannot send all of it because the service refused it before its end.
  ['502|reset', '413', 'no-longer-body'],
  // One defect, in place of several that include it, and of a compressed body that is not JSON before decompression.
  ['ERROR-3|compressed-body failed', oneDefect, 'same-words no-more-defects'],
  ['ERROR-3 undeclared', oneDefect, 'same-words no-more-defects'],
  // The memory of a missing resource, in place of a known one that is missing for a while.
  ['SURFACE-1 404 !sure !remembered-miss', 'remembered-miss'],
  // A stack trace, which names files.
  ['HYGIENE-3', 'HYGIENE-1', 'same-operation same-status'],
  // Two keys that are mixed up, in place of intermittent decisions on keys: one key gets responses for the other,
  // and is refused responses of its own.
  [undecided, 'mixed-up-keys company|!steady'],
  [`${undecided} deviates`, 'mixed-up-keys'],
  ['of-keys !AUTH-5 accepted !company|at-some-moments', 'AUTH-5', 'same-operation'],
  ['refused-for-scope', 'SCOPE-1 accepted'],
  ['scoped 403 !by-others', 'SCOPE-1 accepted', 'same-operation'],
  // A response that is replayed for an Idempotency-Key, in place of the same to other keys, and of one for another operation.
  ['of-any-key accepted keyed-call !named-cause', 'of-keys accepted keyed-call named-cause'],
  ['SUCCESS-4 keyed-call', 'of-keys accepted keyed-call named-cause'],
  ['AUTH-3|SCOPE-1 accepted keyed-call', 'AUTH-2 accepted keyed-call named-cause'],
  // No key that is enough at some moments, in place of one that lacks the scope, and of a bad one elsewhere.
  ['AUTH-3 accepted !granted', 'AUTH-2 accepted of-moment'],
  ['SCOPE-1 accepted !granted', 'AUTH-2 accepted of-moment', 'same-operation'],
  // A bad key that is accepted at some moments, in place of one that is accepted in a crowd.
  ['AUTH-3 accepted beside-others', 'AUTH-3 accepted at-some-moments'],
  // A bad key that is accepted, in place of a good one that is sometimes refused.
  ['AUTH-4 401 comes-and-goes', 'AUTH-3 accepted'],
  // A call that fails among concurrent calls or after another one, in place of calls that sometimes fail in the same way.
  ['failed of-moment|!sure !beside-others', 'failed beside-others|left-behind', 'same-words'],
  // A valid call that is refused among concurrent calls, in place of the same refusal after another call.
  ['after-a-call', 'beside-others', 'same-operation same-refusal'],
  // A response for a concurrent call, in place of others that come and go with it.
  ['RESOURCE-1|SURFACE-1 accepted|404 !sure', 'SURFACE-1 beside-others accepted', 'same-operation'],
  // A look-up that gives the result of another call, in place of a valid call that it does not find at times.
  ['SURFACE-1 404', 'mixed-up-lookups', 'same-operation'],
  // A wrong 200 that another call leaves behind, in place of the same one to a client whose calls came after such a call.
  ['CLIENT-1 accepted !company', 'left-behind', 'same-operation same-words'],
  // An intermittent refusal, in place of the same refusal in every attempt.
  ['of-keys !deviates', 'of-moment', 'same-requirement same-refusal'],
  // A refused valid call of a sequence, in place of the same refusal of one that carries more or comes later.
  ['CLIENT-1|SURFACE-1 !403', 'sequence scoped !riders !unissued-return', 'same-refusal'],
  // What rides along where a key without the scope is refused, in place of the same refusal with more beside such a key.
  ['CLIENT-1 !scoped', 'SCOPE-2 with-riders', 'same-operation same-refusal'],
  // A valid call that fails each time after the same steps, in place of the same failure at some moments.
  ['at-some-moments of-spell', 'sequence scoped sure failed !of-spell !riders', 'same-operation same-words'],
  // Calls that fail intermittently, in place of one that failed in the same way once, in any company or at the same operation.
  ['failed company !sure !of-spell', 'at-some-moments of-spell', 'same-words'],
  ['failed !sure !of-spell', 'at-some-moments of-spell', 'same-operation same-words'],
  // A body in chunks that is refused, in place of one without any chunk, or with more beside it.
  ['body-without-chunks|CLIENT-1 body-without-chunks|in-chunks !chunked-body', 'chunked-body', 'same-words'],
  // The call that gives a key the scope, in place of each acceptance that follows.
  ['SCOPE-1 accepted !granted', 'granted'],
  // The header that leads to a refusal, in place of the same header and refusal with other variations.
  ['should with-a-header', 'must', 'same-operation same-company same-refusal'],
  // A key that is accepted where no later check refuses the call, in place of operations where one does: there, a 403 is the
  // wrong status for a key that is refused.
  ['AUTH-3|SCOPE-1 refused-later', 'AUTH-2 accepted', 'same-operation'],
  ['AUTH-2|AUTH-3 refused-later', 'accepted', 'same-requirement same-operation'],
  ['AUTH-2|AUTH-3 refused-later !403', 'accepted', 'same-requirement same-label'],
  ['SCOPE-1 refused-later', 'SCOPE-1 accepted'],
  // A call without a body that is let through, in place of one whose body is blank, null or under another media type: of
  // such a body, parsers leave none.
  ['let-through as-no-body', 'REQUEST-1 let-through', 'same-operation'],
  // What lets a call through without any key, in place of the same with more beside it, and for a key that is bad or lacks the scope.
  ['AUTH-2 accepted|refused-later', 'AUTH-2 accepted|refused-later', 'fewer-ways'],
  ['AUTH-3|SCOPE-1 accepted', 'AUTH-2 accepted', 'same-way|fewer-ways'],
  // Any parameter that is refused, in place of the number of a page, and a page that is refused in place of the parameter.
  ['AUTH-1 varies-query', 'CLIENT-1 !sends-page', 'same-operation same-refusal'],
  ['CLIENT-1 sends-page', 'AUTH-1 varies-query', 'same-operation same-refusal'],
  // A refusal under 200, in place of the apparent acceptance of the refused call.
  ['accepted', 'SUCCESS-4', 'same-operation same-members'],
  // A refusal under 200, in place of a cancel that reads do not show.
  ['SESSION-3', 'SUCCESS-4 must', 'same-operation|among-its-steps'],
  // A response about another resource, in place of a change that reads do not show.
  ['SESSION-3', 'cached|another-resource|shared-session', 'among-its-steps'],
  // A session that some calls find and others do not, in place of what seemed to have ended it, or to be refused with 404.
  ['SESSION|CLIENT-1|REQUEST names-session 404', 'found-at-times names-session 404'],
  // A cancel that fails without a refusal before it, in place of one that fails after a refusal.
  ['SESSION-4', 'SESSION-2', 'same-operation same-refusal !refused-after'],
  // A refused call that changed the session, in place of a later call that finds the change; a must, in place of a should.
  ['SESSION-4 should', 'SESSION-4 must'],
  ['AUTH|SCOPE|SESSION !SESSION-4', 'SESSION-4', 'refused-before'],
  ['repeated-call of-keys 404|409', 'SESSION-4 must'],
  // A key that is accepted without its scope, in place of a call of a sequence that is.
  ['sequence accepted !scoped', 'of-keys accepted isolated', 'same-kind-of-key'],
  // A cancel that is lost, so that a concurrent one finds nothing cancelled.
  ['SESSION-2 should', 'SESSION-3 must'],
  // An id that concurrent creates share, in place of one that consecutive creates share, such as one made from the time.
  ['SESSION-5 should shared-session', 'SESSION-5 must', 'same-operation'],
  // A resource other than the requested one, in place of an unknown one that is found, and of other findings of sequences.
  ['accepted RESOURCE-1|sequence RESOURCE-1|should', 'another-resource', 'same-operation'],
  // A value that cannot be decoded a second time, in place of one that can.
  ['should RESOURCE-1 sends-encoded-twice', 'RESOURCE-2 500 sends-undecodable', 'same-operation'],
  // A first read that shows another session, in place of later calls that do.
  ['SESSION !SESSION-1 another-resource', 'SESSION-1 another-resource', 'same-operation'],
  // A body that is cut at its stated length, in place of the next response, which begins with the rest.
  ['breaks-off', 'cut-off', 'same-operation'],
  // Any response that breaks off, in place of a compressed one that does.
  ['breaks-off-compressed', 'breaks-off'],
  // An empty success, in place of an intermittent empty error.
  ['ERROR-1 empty !steady', 'SUCCESS-2 empty', 'same-operation'],
  // Valid calls that are refused for the scope at some moments, in place of the same refusal of any other call.
  ['403 scoped !by-others', 'SURFACE-1 403 scoped for-a-while !by-others', 'same-words'],
];

const rows = explanations.map(([one, other, both]) => ({
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
