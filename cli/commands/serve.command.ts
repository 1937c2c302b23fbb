import { stringify } from 'yaml';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import type { Fault } from '../../fixtures/faults/fault.ts';
import { startFault } from '../../fixtures/faults/start-fault.ts';
import { renderOpenApiDocument } from '../../fixtures/reference-service/openapi-document.ts';
import { type ShapeName, shapePresets } from '../../fixtures/reference-service/shape.ts';
import { type RunningService, startService } from '../../fixtures/reference-service/start-service.ts';
import { allVariants } from '../../fixtures/variants/all-variants.ts';
import { startVariant } from '../../fixtures/variants/start-variant.ts';
import type { Variant } from '../../fixtures/variants/variant.ts';
import { unknownName } from '../../harness/target/nearest-name.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { writeAtomically } from '../../harness/write-atomically.ts';
import type { CommandFlags } from '../../spec/command-options.ts';
import type { CommandDefinition } from '../command-list.ts';

/** `serve`: the reference service, or one of its faults, variants and shapes, until it is interrupted. */
export const command: CommandDefinition = {
  after: `Examples:
  npx commerce-conformance serve --port 8080 --write-target target.yaml
  npx commerce-conformance serve --fault list`,
  run: serve,
};

type ServeFlags = CommandFlags<'serve'>;

const shapes = Object.keys(shapePresets).map((name) => ({ name: name as ShapeName }));
async function serve(flags: ServeFlags): Promise<void> {
  if (flags.fault === 'list' || flags.variant === 'list') {
    const lines =
      flags.fault === 'list'
        ? allFaults.map((fault) => lineOf(fault, fault.missed, 'no check finds it'))
        : allVariants.map((variant) => lineOf(variant, variant.accused, 'it is accused'));
    process.stdout.write(lines.join(''));
    return;
  }
  const service = await start(flags);
  if (flags.writeTarget !== undefined) {
    // It holds keys, if only those of a service on loopback.
    await writeAtomically(flags.writeTarget, stringify(service.target), 0o600);
  }
  if (flags.writeSpec !== undefined) {
    const document = renderOpenApiDocument(service.shape, service.baseUrl);
    await writeAtomically(flags.writeSpec, `${JSON.stringify(document, undefined, 2)}\n`);
  }
  const { scoped, unscoped } = service.target.keys;
  const how =
    flags.writeTarget === undefined
      ? `Its keys:\n  export COMMERCE_KEY=${scoped} COMMERCE_KEY_UNSCOPED=${unscoped}\nPass --write-target FILE for a target file with its keys and known values.`
      : `Test it with: npx commerce-conformance run --target ${flags.writeTarget}`;
  process.stdout.write(`Serving ${service.baseUrl}\n${how}\nPress Ctrl-C to stop.\n`);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve).once('SIGTERM', resolve);
  });
  await service.close();
}

function lineOf({ name, says }: Fault | Variant, gap: string | undefined, means: string): string {
  return `${name}: ${says}${gap === undefined ? '' : ` (known gap: ${means})`}\n`;
}

async function start(flags: ServeFlags): Promise<RunningService> {
  const { fault, variant, shape, port, rateLimit } = flags;
  if (fault !== undefined && variant !== undefined) {
    throw new UsageError({ what: '--fault and --variant exclude each other', remedy: 'pass one of them' });
  }
  const options = {
    ...(port === undefined ? {} : { port }),
    ...(shape === undefined ? {} : { shape: named('--shape', shape, shapes).name }),
    ...(rateLimit === undefined ? {} : { rateLimit: { perSecond: rateLimit, burst: Math.ceil(rateLimit) } }),
  };
  try {
    if (fault !== undefined) return await startFault(named('--fault', fault, allFaults), options);
    if (variant !== undefined) return await startVariant(named('--variant', variant, allVariants), options);
    return await startService(options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new UsageError({
      where: '--port',
      what: `port ${port} is in use`,
      remedy: 'leave --port out for a free one',
    });
  }
}

function named<T extends { readonly name: string }>(where: string, name: string, all: readonly T[]): T {
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = all.map((one) => one.name);
  const otherwise = `one of ${names.slice(0, 10).join(', ')} …`;
  throw unknownName({ where, what: `there is no ${name}` }, name, names, otherwise);
}
