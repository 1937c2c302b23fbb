import { parseArgs } from 'node:util';
import picomatch from 'picomatch';
import { allFaults } from '../fixtures/faults/all-faults.ts';
import { allVariants } from '../fixtures/variants/all-variants.ts';
import { type Proof, proveFault, proveVariant } from './prove.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', multiple: true, default: ['1'] },
    only: { type: 'string', default: '*' },
    verbose: { type: 'boolean', default: false },
  },
});

/** Services that are judged at once; more only lengthen each other's answers. */
const atOnce = 4;

const wanted = picomatch(values.only);
const jobs: Array<() => Promise<Proof>> = values.seed.flatMap((seed) => [
  ...allFaults.filter(({ name }) => wanted(name)).map((fault) => () => proveFault(fault, Number(seed))),
  ...allVariants
    .filter(({ name }) => wanted(name))
    .map((variant) => () => proveVariant(variant, Number(seed))),
]);
const started = performance.now();
const proofs: Proof[] = [];
const waiting = [...jobs];
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const proof = await next();
      proofs.push(proof);
      if (values.verbose)
        process.stdout.write(`${proof.durationMs} ms ${proof.requests} requests ${proof.name}\n`);
      if (proof.objections.length > 0) {
        process.stdout.write(`${proof.kind} ${proof.name} (seed ${proof.seed})\n`);
        for (const objection of proof.objections) process.stdout.write(`    ${objection}\n`);
      }
    }
  }),
);
const bad = proofs.filter(({ objections }) => objections.length > 0).length;
process.stdout.write(
  `${proofs.length - bad} of ${proofs.length} proven in ${((performance.now() - started) / 1000).toFixed(1)} s\n`,
);
process.exitCode = bad === 0 ? 0 : 1;
