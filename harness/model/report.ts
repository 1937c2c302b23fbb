import type { Violation } from './evaluation.ts';
import type { Exchange } from './exchange.ts';
import type {
  Count,
  Day,
  Digest,
  FindingId,
  Instant,
  Integer,
  Milliseconds,
  Ordinal,
  Sha256,
  Text,
} from './formats.ts';
import type { Shard } from './run-options.ts';
import type { Exclusion } from './target.ts';

/** Outcome of one case. */
export type Outcome = 'pass' | 'fail' | 'warn' | 'inconclusive' | 'not-applicable' | 'error';

/** Outcome of the whole run. */
export type Verdict = 'conformant' | 'non-conformant' | 'incomplete' | 'error';

/** Weight of a requirement: a violated `must` fails, a `should` warns, an `info` is noted. */
export type Level = 'must' | 'should' | 'info';

/** A violation with its evidence. */
export interface Finding
  extends Pick<Violation, 'expected' | 'actual' | 'kind' | 'deviation' | 'company' | 'detail'> {
  readonly id: FindingId;
  /** Level of the clause that is violated. */
  readonly level: Level;
  /** The defect, such as `An invalid key was accepted`; absent in reports before 1.1. */
  readonly headline?: Text;
  /** The violated statement, such as `an unknown key is refused`. */
  readonly message: string;
  /** Where the contract says so, such as `Authentication, rule 4`. */
  readonly contract: string;
  /** In how many tries it was seen. */
  readonly seen: { readonly times: Ordinal; readonly of: Ordinal };
  /** The sender of the response if it was not the service; absent for the service itself. */
  readonly answeredBy?: Responder;
  /** The fix for its cause, or the usual fix for the violated requirement. */
  readonly fix?: string;
  /** Other requirements that the same exchange violates. */
  readonly alsoViolates?: readonly Text[];
  /**
   * What showed it: labels of requests, or the checks whose requests a passive check looked at. Absent for a finding that
   * not every try showed, and before 1.1.
   */
  readonly triggers?: readonly string[];
  /** Classes of values whose exclusion avoids it, by the names that `exclude` takes. */
  readonly excludable?: readonly Text[];
  /** The `x-request-id` of that exchange; absent before 1.1. */
  readonly requestId?: string;
  /** The trace of that exchange by W3C Trace Context; absent before 1.1. */
  readonly traceId?: string;
  /** Ids by which the response names the request; absent if it carries only ids that were sent. @maxItems 8 */
  readonly responseIds?: readonly ResponseId[];
  /** The exchange that shows it. */
  readonly exchange: Exchange;
  /** The request that failed first, where `exchange` is a smaller form of it; absent before 1.1. */
  readonly found?: Exchange;
  /** The exchanges of a sequence in order, where only the sequence shows it; absent before 1.1. */
  readonly steps?: readonly Exchange[];
  /** A shell line that sends the request again, keys as variables. */
  readonly reproduction: string;
  /** Set where the baseline of the run accepts it: it still fails its case, but not the release. */
  readonly accepted?: Acceptance;
}

/** An id in a header of a response, by which a service or a gateway may have logged the request. */
export interface ResponseId {
  /** In lower case. */
  readonly header: string;
  /** Foreign text, cut. @maxLength 128 */
  readonly value: string;
}

/** A sender of responses other than the service, such as a proxy or a framework's default handler. */
export interface Responder {
  /** Such as `nginx`. */
  readonly name: Text;
  readonly role: ResponderRole;
  /** The sign of this responder, such as `HTML page "400 Bad Request"; the service's own errors are JSON`. */
  readonly why: string;
}

/** The position of a responder relative to the service. */
export type ResponderRole = 'proxy' | 'cdn' | 'firewall' | 'server' | 'framework';

/** Who accepts a finding, why, and until when. */
export interface Acceptance {
  /** Why a release may have it. @pattern \S @example the gateway is replaced in March */
  readonly reason: string;
  /** Who is responsible for it. @pattern \S @example checkout-team */
  readonly owner: string;
  /** The last day on which it is accepted, in UTC. @format date @example 2027-01-31 */
  readonly expires: Day;
}

/** One accepted finding. */
export interface BaselineEntry extends Acceptance {
  /** Id of the finding: eight of 0-9 and a-f, as every report shows it. @example '4f2a91c0' */
  readonly finding: FindingId;
  /**
   * The requirement that the finding violates; with operation, it tells a finding that was fixed from one that was not looked
   * for.
   * @example AUTH-3
   */
  readonly requirement?: Text;
  /** The operationId of the operation that shows it. @example createHostedCheckoutSession */
  readonly operation?: Text;
  /** The check that finds it, where a requirement has several. @example auth/invalid-key-is-refused */
  readonly check?: Text;
  /**
   * What shows the finding, as the report lists it: with anything else, the finding counts as new. Absent for whatever shows it.
   * @minItems 1
   * @example ["query page=%zz"]
   */
  readonly triggers?: readonly string[];
}

/** An entry of a baseline that did its work in this run not at all, or not as it was meant to. */
export interface QuestionableEntry extends BaselineEntry {
  /** The problem with the entry. */
  readonly why: Text;
}

/** The result of comparing a run with a baseline. */
export interface BaselineOutcome {
  /** The baseline as it was named on the command line. */
  readonly file: Text;
  /** SHA-256 over its bytes. */
  readonly digest: Digest;
  /** The day that expiry was reckoned from, in UTC. */
  readonly today: Day;
  /** Nothing is new, stale or expired. */
  readonly passed: boolean;
  /** Findings that it accepts. */
  readonly accepted: Count;
  /** Ids of findings that fail a case and that no entry names; those of expired entries are in `expired`. */
  readonly unaccepted: readonly string[];
  /** Their case was evaluated without this finding. */
  readonly stale: readonly QuestionableEntry[];
  /** Their last day is over. */
  readonly expired: readonly QuestionableEntry[];
  /** They name something that does not exist, or does not match their finding. */
  readonly unknown: readonly QuestionableEntry[];
  /** Their case was not evaluated in this run. */
  readonly unjudged: readonly QuestionableEntry[];
}

/** The result of one case: one check on one operation. */
export interface CaseResult {
  /** The operationId. */
  readonly operation: Text;
  /** Id of the check, such as `auth/invalid-key-is-refused`. */
  readonly check: Text;
  /** Id of the requirement, such as `AUTH-3`. */
  readonly requirement: Text;
  readonly level: Level;
  readonly outcome: Outcome;
  /** The observation, or why nothing could be evaluated. */
  readonly message: string;
  /** What the requirement expects, if it can be stated. */
  readonly expected: string | null;
  /** What was observed instead, if anything. */
  readonly actual: string | null;
  /** For `inconclusive`: the line to add, or the thing to do, that would decide it. */
  readonly remedy?: Text;
  /** Ids of the evaluated exchanges. */
  readonly exchanges: readonly Text[];
  readonly findings: readonly Finding[];
}

/** How often an operation answered with a status, or why it never answered with a documented one. */
export interface CoverageEntry {
  readonly operation: Text;
  readonly status: Status;
  readonly observed: Count;
  /** Why it was never observed; null where it was. */
  readonly reason: string | null;
  /** The contract does not have the status; such entries exist only where it was observed. */
  readonly undocumented?: true;
}

/** A status of HTTP. @minimum 100 @maximum 999 */
type Status = Integer;

/** Types of JSON values. */
export type JsonType = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** The observations at one place in the bodies of one kind. */
export interface ShapeMember {
  /** JSON Pointer, in which `[]` stands for the items of an array and `*` for the members of a map keyed by data. @pattern ^(/|$) */
  readonly path: string;
  /** Number of values by their type. */
  readonly types: Readonly<Partial<Record<JsonType, Ordinal>>>;
  /** Parents that had it. */
  readonly seen: Count;
  /** Parents that could have had it: it was always there where this equals `seen`. */
  readonly of: Count;
}

/** Names and types, and no values, of the bodies of one kind; equal bodies are counted but read once. */
export interface BodyShape {
  readonly bodies: Count;
  /** Bodies too long to be read. */
  readonly unread: Count;
  /** There were more or deeper places than are kept: places that are not listed may also have existed. */
  readonly cut: boolean;
  /** Sorted by path. */
  readonly members: readonly ShapeMember[];
}

/** The shape of the bodies with which an operation answers a status. */
export interface ShapeEntry {
  readonly operation: Text;
  readonly status: Status;
  readonly shape: BodyShape;
}

/** One cause shared by findings on several operations. */
export interface Cause {
  /** The requirement that is violated. */
  readonly requirement: Text;
  /** The common statement of the findings. */
  readonly signature: string;
  /** The operations that show it. */
  readonly operations: readonly Text[];
  /** Number of findings. */
  readonly count: Ordinal;
  /** Id of one of the findings. */
  readonly example: FindingId;
}

/** Where the fix of a root cause belongs. */
export type RootCauseSubject = 'service' | 'in front of the service' | 'OpenAPI document';

/** The findings that one fix in one place removes, regardless of the operations and inputs that show them. */
export interface RootCause {
  /** Equal for the same defect in another run. */
  readonly id: FindingId;
  /** The defect, such as `nginx answers errors with its own pages`. */
  readonly headline: string;
  /** The gravest level of its findings. */
  readonly level: Level;
  readonly subject: RootCauseSubject;
  /** Absent where the service itself answered. */
  readonly answeredBy?: Responder;
  /** The change that fixes it. */
  readonly fix: string;
  /** Violated requirements, the most specific first. */
  readonly requirements: readonly Text[];
  /** The operations that show it. */
  readonly operations: readonly Text[];
  /** Ids of its findings, the example first. @minItems 1 */
  readonly findings: readonly FindingId[];
  /** Lines for the target file that keep the harness from sending values that show the defect; absent if no line can. */
  readonly exclude?: string;
  /** Entries for the baseline that accept its findings. */
  readonly accept: string;
}

/** The traffic of the run. */
export interface Traffic {
  readonly requests: Count;
  /** Responses by status; `none` for requests without a response, and `abandoned` for requests that the harness gave up early. */
  readonly byStatus: Readonly<Record<string, Count>>;
  /** Answers with 429. */
  readonly throttled: Count;
  /** Calls that something in front of the service answered 403, by operation; absent where it answered none. */
  readonly blocked?: Readonly<Record<string, Ordinal>>;
  /** Percentiles of the time to answer. */
  readonly latencyMs: { readonly p50: Milliseconds; readonly p95: Milliseconds; readonly p99: Milliseconds };
  /** Absent before 1.1. */
  readonly timeline?: Timeline;
}

/** How refusals slowed a run down. */
export interface Slowed {
  /** Responses that made requests wait, by status; 403 is a firewall's. */
  readonly by: Readonly<Record<string, Ordinal>>;
  /** Milliseconds in which requests waited. */
  readonly ms: Milliseconds;
  /** Requests per second that were served. @minimum 0 */
  readonly pace: number;
}

/** The requests of a run by the time of their start, in buckets of equal length. */
export interface Timeline {
  /** Length of a bucket in milliseconds. @exclusiveMinimum 0 */
  readonly bucketMs: number;
  /** Equal parts of the run, in order. */
  readonly buckets: ReadonlyArray<{
    readonly requests: Count;
    /** Responses with 429. */
    readonly throttled: Count;
    /** Responses with 5xx, and requests without a response. */
    readonly unanswered: Count;
    /** Mean time to respond. */
    readonly meanMs: Milliseconds;
    /** Longest time to respond. */
    readonly maxMs: Milliseconds;
  }>;
}

/** A known value that the harness found by itself. */
export interface DiscoveredValue {
  /** Name of the parameter. */
  readonly name: Text;
  /** The value that was found. */
  readonly value: string;
  /** The operation in whose answer it was found. */
  readonly from: Text;
}

/** Number of cases by outcome. */
export interface Summary {
  readonly pass: Count;
  readonly fail: Count;
  readonly warn: Count;
  readonly inconclusive: Count;
  readonly notApplicable: Count;
  readonly error: Count;
}

/** Whom the connections of a run reached. */
export interface Peers {
  /** Addresses with ports, of the proxy where there is one. @maxItems 1000 */
  readonly addresses: readonly Address[];
  /** Certificates that servers showed. @maxItems 1000 */
  readonly certificates: readonly ServerCertificate[];
}

/** Address and port. @maxLength 100 */
type Address = string;

/** A TLS certificate that a server showed. */
export interface ServerCertificate {
  /** Fingerprint in hexadecimal digits. */
  readonly sha256: Sha256;
  /** Subject alternative names, such as `DNS:api.example.com`. @maxLength 20000 */
  readonly names: string;
  /** Organisation that issued it. @maxLength 2000 */
  readonly issuer: string;
  /** When it ends. @format date-time */
  readonly validUntil: string;
}

/** Name and version of a package. */
export interface HarnessName {
  readonly name: Text;
  readonly version: Text;
}

/** By which way a target was reached. */
export interface TargetConnection {
  /** The proxy without its credentials, and the environment variable that names it. */
  readonly proxy?: { readonly host: Text; readonly variable: Text };
  /** Path of the socket that was connected to. */
  readonly unixSocket?: Text;
  /** Absent for HTTP/1.1, unless the run asked for HTTP/2 and the target refused it. */
  readonly protocol?: 'HTTP/2' | 'HTTP/1.1';
}

/** A requirement of a custom check, in addition to those of the contract. */
export interface AdditionalRequirement {
  /** Such as `OWN-CACHE-1`. @pattern ^OWN- */
  readonly id: string;
  readonly level: Level;
  /** The rule in one sentence. */
  readonly text: Text;
}

/** The results of custom checks; not part of verdict, results, summary, causes and coverage. */
export interface Additional {
  /** Name of their folder. */
  readonly folder: string;
  readonly requirements: readonly AdditionalRequirement[];
  readonly results: readonly CaseResult[];
  readonly summary: Summary;
}

/** The result of a run, from which every report format derives; written as report.json. Holds no secret. */
export interface Report {
  /** Minor versions only add fields. */
  readonly schemaVersion: '1.0' | '1.1';
  readonly verdict: Verdict;
  /** Every `must` case was tested. */
  readonly complete: boolean;
  /** In one sentence each: why the verdict is not `conformant`. */
  readonly reasons: readonly Text[];
  /** The program that wrote it. */
  readonly harness: HarnessName;
  /** The contract of the run, by the bytes of spec/openapi.yaml. */
  readonly contract: { readonly digest: Digest };
  /** The implementation under test. */
  readonly target: {
    /** Origin and path prefix without a trailing slash. */
    readonly baseUrl: Text;
    /** It was the reference service that the harness started itself. */
    readonly embedded: boolean;
    /** The target file as it was named, of one outside the working folder its name alone; absent without one and before 1.1. */
    readonly file?: Text;
    readonly discovered: readonly DiscoveredValue[];
    /** Classes of values that the user excluded; absent for none. */
    readonly excluded?: readonly Exclusion[];
    /** How it was reached; absent for a plain connection over HTTP/1.1. */
    readonly connection?: TargetConnection;
    /** The peers that its connections reached; absent if none was made. */
    readonly peers?: Peers;
  };
  /** When and how the run took place. */
  readonly run: {
    readonly startedAt: Instant;
    readonly durationMs: Milliseconds;
    /** Seed of everything that was generated. */
    readonly seed: Integer;
    /** By the names of the flags in camelCase; open, because flags come and go. */
    readonly options: Readonly<Record<string, unknown>>;
    /** It was stopped before its end. */
    readonly interrupted: boolean;
    /** Why the target could not be reached, or stopped answering; absent where it answered to the end. */
    readonly unreachable?: string;
    /** Why nothing about API keys could be tested; absent if a key was accepted or none was given. */
    readonly keysRefused?: string;
    /** The defect of the runner itself; absent if there was none. */
    readonly defect?: string;
    /** Absent where refusals slowed down no noticeable part of the run. */
    readonly slowed?: Slowed;
    /** The part that was run, with the SHA-256 of its evidence; absent where all was. */
    readonly shard?: Shard & { readonly evidence?: Sha256 };
    /** Number of shards that it was merged from; absent where it was one run. */
    readonly shards?: Ordinal;
  };
  /** The operations of the contract, in its order. */
  readonly operations: ReadonlyArray<{
    /** The operationId. @pattern ^[\w.~-]+$ */
    readonly id: string;
    readonly method: Text;
    /** Template relative to the base URL. @pattern ^/ */
    readonly path: string;
    /** The contract gives no operationId; this one is the harness's. */
    readonly idIsOurs: boolean;
  }>;
  readonly results: readonly CaseResult[];
  readonly summary: Summary;
  /** Each operation with each documented status, and each other status that was seen. */
  readonly coverage: readonly CoverageEntry[];
  readonly traffic: Traffic;
  readonly causes: readonly Cause[];
  /** The defects behind the findings, the gravest first; notes aside. Absent in reports before 1.1. */
  readonly rootCauses?: readonly RootCause[];
  /** Absent where the run did not finish. */
  readonly shapes?: readonly ShapeEntry[];
  /** Absent where no baseline was given. */
  readonly baseline?: BaselineOutcome;
  /** Absent if the user supplied no custom checks. */
  readonly additional?: Additional;
}
