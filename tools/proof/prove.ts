import type { Fault } from '../../fixtures/faults/fault.ts';
import { startFault } from '../../fixtures/faults/start-fault.ts';
import { renderOpenApiDocument } from '../../fixtures/reference-service/openapi-document.ts';
import { resolveShape } from '../../fixtures/reference-service/shape.ts';
import { startVariant } from '../../fixtures/variants/start-variant.ts';
import type { Variant } from '../../fixtures/variants/variant.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import type { ActiveCheck, Case } from '../../harness/checks/check.ts';
import { requestsOf } from '../../harness/engine/run/plan.ts';
import type { RecomputedRequests } from '../../harness/engine/verify/verify-evidence.ts';
import type { RunOptions } from '../../harness/model/run-options.ts';
import type { SuppliedDocument } from '../../harness/model/supplied-document.ts';
import { documentFrom } from '../../harness/openapi/load-document.ts';
import { attribute } from '../../harness/results/causes/root-causes.ts';
import type { Profile } from '../../harness/sampling/profile.ts';
import { defaultOptions } from '../../harness/target/default-options.ts';
import { evaluateAndVerify, evaluateService } from './evaluate-service.ts';
import { accusationsOf, isFound, isReported, objectionsToFault, objectionsToVariant } from './objections.ts';

/** One fault or variant to prove at one seed. */
export interface Job {
  readonly kind: 'fault' | 'variant';
  readonly name: string;
  readonly seed: number;
  readonly profile: Profile;
  /** Whether the evidence of a variant is verified too. */
  readonly verifies: boolean;
  readonly check?: string;
  /** Whether it waits most of its time, so that many can be under way at once. */
  readonly waits: boolean;
}

/** What a run against the service of a job shows. */
export interface Shown {
  readonly isMarked: boolean;
  /** The conditions that do not hold; empty if the proof succeeds. */
  readonly objections: readonly string[];
  readonly isFound: boolean;
  readonly isReported: boolean;
  readonly rootCauses?: readonly string[];
  readonly requests: number;
  /** Requests of a variant that its verification computed again. */
  readonly recomputed?: RecomputedRequests;
}

/** The result of a job. */
export interface Proof extends Job, Shown {
  readonly durationMs: number;
}

const nothingShown = { isMarked: false, isFound: false, isReported: false, requests: 0 };

/** What is told of a job that could not be carried out, so that the others still count. */
export function notShown(why: string): Shown {
  return { ...nothingShown, objections: [why] };
}

/** Loopback answers at once: a service that does not answer within this time never will. A conforming one gets the usual time. */
const proofOptions: Partial<RunOptions> = { timeoutMs: 2_000 };

/**
 * Runs against a service with a fault: the named check must report it at the named operation, and nothing else may be
 * accused, of the cases that are wanted.
 */
export async function proveFault(
  fault: Fault,
  seed: number,
  profile: Profile = 'standard',
  wants: (planned: Case<ActiveCheck>) => boolean = (planned) =>
    profile === 'quick' || mayTell(fault, planned),
): Promise<Shown> {
  const service = await startFault(fault);
  try {
    const document = fault.withDocument === true ? await ownDocument(fault) : undefined;
    const { results, traffic, shapes, moments } = await evaluateService(service, {
      options: { ...proofOptions, profile, seed, ...needsIn(profile, fault) },
      document,
      wants,
    });
    return {
      isMarked: fault.missed !== undefined,
      objections: objectionsToFault(fault, results, shapes, moments),
      isFound: isFound(fault, results),
      isReported: isReported(fault, results),
      rootCauses: attribute(results, shapes, [], moments).rootCauses.map(({ headline }) => headline),
      requests: traffic.requests,
    };
  } finally {
    await service.close();
  }
}

/**
 * Runs against an unusual but conforming service: nothing may fail, and nothing warn but what the variant names. The
 * verification of the evidence must explain every request.
 */
export async function proveVariant(
  variant: Variant,
  seed: number,
  profile: Profile = 'standard',
  verifies = false,
  check?: string,
): Promise<Shown> {
  const service = await startVariant(variant);
  const options = { profile, seed, checks: check === undefined ? [] : [check] };
  const proven = { ...nothingShown, isMarked: variant.accused !== undefined };
  // One check alone leaves most of a service untested.
  const objectionsTo = check === undefined ? objectionsToVariant : accusationsOf;
  try {
    if (!verifies) {
      const { results, traffic } = await evaluateService(service, { options });
      return { ...proven, objections: objectionsTo(variant, results), requests: traffic.requests };
    }
    const { results, traffic, problems, recomputed } = await evaluateAndVerify(service, options);
    const objections = [
      ...objectionsTo(variant, results),
      ...objectionsToEvidence(problems, recomputed).map((problem) => `verify: ${problem}`),
    ];
    return { ...proven, objections, requests: traffic.requests, recomputed };
  } finally {
    await service.close();
  }
}

/** The problems of a verification, and the requests that it cannot explain. */
export function objectionsToEvidence(
  problems: readonly string[],
  { requests, confirmed }: RecomputedRequests,
): readonly string[] {
  if (confirmed === requests) return problems;
  return [...problems, `${requests - confirmed} of ${requests} requests are not computed again`];
}

/** A quick run gets no more random inputs and requests than a user's does. */
function needsIn(profile: Profile, { needs }: Fault): Fault['needs'] {
  if (profile !== 'quick') return needs;
  return needs?.provokeRateLimit === true ? { provokeRateLimit: true } : {};
}

/** Requests of one case beyond which it is run only where it may tell something of a fault. */
const many = 7;
/** Those beyond which a case that shares state or its check with the fault is run only at the fault's operation. */
const veryMany = 45;

/**
 * Whether a case may tell something of a fault. Those of many requests say at operations that share no state with the
 * fault what they say of the healthy service, which is proven by the variants; leaving them out there spares most of the time.
 */
function mayTell({ breaks, options, isOfWholeRun }: Fault, planned: Case<ActiveCheck>): boolean {
  const { check, operation } = planned;
  const requests = requestsOf(planned, defaultOptions);
  if (requests <= many || options?.rateLimit !== undefined || isOfWholeRun === true) return true;
  // The shapes of error bodies, and the resources that values name, are compared across operations.
  if (breaks.requirement === 'ERROR-2') return true;
  if (breaks.requirement === 'RESOURCE-1' && check.requirement === 'RESOURCE-1') return true;
  const isNamed = breaks.operation === '*' || breaks.operation === operation.id;
  if (isNamed || breaks.elsewhere?.some((id) => id === operation.id) === true) return true;
  return requests <= veryMany && (check.area === 'session' || breaks.check === check.id);
}

/** The document that a service with this fault would publish, which says nothing of the fault. */
async function ownDocument({ options, alterDocument }: Fault): Promise<SuppliedDocument> {
  const content = renderOpenApiDocument(resolveShape(options?.shape));
  const { contract } = await loadCatalogue();
  return documentFrom(alterDocument?.(content) ?? content, 'the document of the service', contract);
}
