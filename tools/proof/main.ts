import picomatch from 'picomatch';
import { allFaults, faultsByFile, firstFaultsOf } from '../../fixtures/faults/all-faults.ts';
import type { Fault } from '../../fixtures/faults/fault.ts';
import { firstFigures } from '../../fixtures/faults/first-figures.ts';
import { allVariants, variantsByFile } from '../../fixtures/variants/all-variants.ts';
import type { Variant } from '../../fixtures/variants/variant.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { profiles } from '../../harness/sampling/profile.ts';
import { packageRoot } from '../../spec/package-root.ts';
import { readFlags } from '../read-flags.ts';
import type { Job, Proof } from './prove.ts';
import { proveAll } from './prove-all.ts';
import { sampleFaults } from './sample-faults.ts';
import { changedFiles, selectChanged } from './select-changed.ts';

const { values } = readFlags(
  {
    options: {
      only: { type: 'string', default: '*' },
      kind: { type: 'string' },
      changed: { type: 'boolean', default: false },
      sample: { type: 'string' },
      seed: { type: 'string', multiple: true, default: ['1'] },
      profile: { type: 'string' },
      narrowed: { type: 'string' },
      verify: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
    },
  },
  {
    only: 'the fault or variant of this name, or all that a glob such as {one,two}* names',
    kind: 'fault or variant; both if left out',
    changed: 'those that the changes since main can touch',
    sample: 'at most so many faults of each check, and all variants',
    seed: 'seed of the runs and of the sample; may be repeated (default: 1)',
    profile: `${profiles.join(', ')} (default: standard)`,
    narrowed: 'the variants, with each check that a glob names alone',
    verify: 'verify the evidence of the variants, too',
    verbose: 'print a line for each service, and the root causes where there are several',
  },
);

const isNamed = picomatch(values.only);
const profile = profiles.find((one) => one === values.profile) ?? 'standard';
const touched = values.changed
  ? selectChanged(changedFiles(packageRoot), { faults: faultsByFile, variants: variantsByFile })
  : undefined;
if (touched?.size === 0) {
  process.stdout.write('The changed files touch no fault and no variant.\n');
  process.exit(0);
}
const narrowedTo = values.narrowed === undefined ? undefined : await checksNamed(values.narrowed);
const jobs: readonly Job[] = values.seed
  .map(Number)
  .flatMap((seed) => [...jobsOfFaults(seed), ...jobsOfVariants(seed)])
  .filter(({ name }) => isNamed(name) && touched?.has(name) !== false);
process.stderr.write(`services to prove: ${jobs.length}\n`);
const started = performance.now();
const seconds = (): string => ((performance.now() - started) / 1000).toFixed(1);
let done = 0;
const tell = (): unknown =>
  process.stderr.write(`${done} of ${jobs.length} services proven after ${seconds()} s\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    tell();
    process.exit(130);
  });
const proofs = await proveAll(jobs, (proof) => {
  done += 1;
  if (done % 100 === 0) tell();
  const { kind, name, objections, rootCauses = [] } = proof;
  if (values.verbose) {
    const how = proof.isFound ? ', found' : proof.isReported ? ', reported' : '';
    process.stdout.write(`${proof.durationMs} ms, ${proof.requests} requests${how}: ${name}\n`);
    if (rootCauses.length > 1)
      process.stdout.write(rootCauses.map((headline) => `    root cause: ${headline}\n`).join(''));
  }
  // A profile that sends less finds less: what counts there is how much.
  if (profile === 'quick' && (kind === 'fault' || proof.isMarked)) return;
  if (objections.length === 0) return;
  const alone = proof.check === undefined ? '' : `, ${proof.check} alone`;
  process.stdout.write(`${kind} ${name} (seed ${proof.seed}${alone})\n`);
  for (const objection of objections) process.stdout.write(`    ${objection}\n`);
});
const proven = (kind: Job['kind'], isMarked = false): readonly Proof[] =>
  proofs.filter((proof) => proof.kind === kind && proof.isMarked === isMarked);
const faults = proven('fault');
const variants = proven('variant');
const passed = (all: readonly Proof[]): string =>
  `${all.filter(({ objections }) => objections.length === 0).length} of ${all.length}`;
process.stdout.write(
  `${passed(faults)} faults found at their place and nowhere else, ${passed(variants)} conforming variants passed; ` +
    `seeds ${values.seed.join(', ')}; ${sumOf(proofs, ({ requests }) => requests)} requests in ${seconds()} s\n`,
);
const reported = faults.filter((proof) => proof.isReported);
const shareFound = reported.length / Math.max(1, faults.length);
const explained = reported.filter(({ rootCauses }) => rootCauses?.length === 1).length;
const requestsOfVariants = proofs.flatMap(({ kind, requests }) => (kind === 'variant' ? [requests] : []));
process.stdout.write(
  `profile ${profile}: ${reported.length} of ${faults.length} faults reported at their place (${percent(shareFound)}), ` +
    `${faults.filter((proof) => proof.isFound).length} of them by the named check, ${explained} as one root cause; ` +
    `${inMedian(requestsOfVariants)} requests to a conforming variant in the median and ${Math.max(0, ...requestsOfVariants)} at the most\n`,
);
const early = new Set([...firstFigures.keys()].flatMap(firstFaultsOf).map(({ name }) => name));
const firstOnes = proofs.filter(({ kind, name }) => kind === 'fault' && early.has(name));
if (firstOnes.length > 0) {
  const found = firstOnes.filter(({ isReported }) => isReported).length;
  process.stdout.write(
    `${found} of ${firstOnes.length} faults that were written before the harness was built to find them are reported (${percent(found / firstOnes.length)}), known gaps included\n`,
  );
}
if (values.verify) process.stdout.write(describeRecomputed(proofs));
if (proofs.some(({ isMarked }) => isMarked)) {
  process.stdout.write(
    `left out, as they are marked: ${proven('fault', true).length} faults that no check finds yet, ${proven('variant', true).length} variants that are accused\n`,
  );
}
// A proof of nothing is none.
const least = profile === 'quick' ? 0.8 : 1;
const isProven =
  jobs.length > 0 &&
  proofs.length === jobs.length &&
  proofs.every(({ kind, objections }) => objections.length === 0 || (least < 1 && kind === 'fault')) &&
  (least === 1 || shareFound >= least);
process.exitCode = isProven ? 0 : 1;

/** How many requests of honest runs the verifier computes again. */
function describeRecomputed(all: readonly Proof[]): string {
  const confirmed = sumOf(all, ({ recomputed }) => recomputed?.confirmed ?? 0);
  const requests = sumOf(all, ({ recomputed }) => recomputed?.requests ?? 0);
  return `verified: ${confirmed} of ${requests} requests are computed again\n`;
}

function sumOf(all: readonly Proof[], count: (proof: Proof) => number): number {
  return all.reduce((sum, proof) => sum + count(proof), 0);
}

function inMedian(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function jobsOfFaults(seed: number): readonly Job[] {
  if (values.kind === 'variant' || narrowedTo !== undefined) return [];
  const drawn =
    values.sample === undefined ? allFaults : sampleFaults(allFaults, Number(values.sample), seed);
  return drawn.map((fault) => job('fault', fault, seed));
}

function jobsOfVariants(seed: number): readonly Job[] {
  const whole = allVariants.map((variant) => job('variant', variant, seed));
  if (narrowedTo !== undefined) return narrowedTo.flatMap((check) => whole.map((one) => ({ ...one, check })));
  return values.kind === 'fault' ? [] : whole;
}

function job(kind: Job['kind'], { name, slow, options }: Fault | Variant, seed: number): Job {
  const waits = slow === true || options?.rateLimit !== undefined;
  return { kind, name, seed, profile, verifies: values.verify, waits };
}

/** Ids of the checks that a glob names, for runs of one check alone. */
async function checksNamed(glob: string): Promise<readonly string[]> {
  const { checks } = await loadCatalogue();
  const isMeant = picomatch(glob);
  return checks.map(({ id }) => id).filter((id) => isMeant(id));
}
