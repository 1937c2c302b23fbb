import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allFaults } from '../../../fixtures/faults/all-faults.ts';
import type { Fault } from '../../../fixtures/faults/fault.ts';
import { startFault } from '../../../fixtures/faults/start-fault.ts';
import { renderOpenApiDocument } from '../../../fixtures/reference-service/openapi-document.ts';
import type { ServiceParts } from '../../../fixtures/reference-service/service-parts.ts';
import { resolveShape } from '../../../fixtures/reference-service/shape.ts';
import {
  type RunningService,
  type ServiceOptions,
  startService,
} from '../../../fixtures/reference-service/start-service.ts';
import { allVariants } from '../../../fixtures/variants/all-variants.ts';
import { startVariant } from '../../../fixtures/variants/start-variant.ts';
import type { Variant } from '../../../fixtures/variants/variant.ts';
import type { Report } from '../../../harness/model/report.ts';
import { loadContract } from '../../../spec/contract.ts';
import { packageRoot } from '../../../spec/package-root.ts';
import { median } from '../median.ts';
import { runNode } from '../run-program.ts';
import { runSchemathesis, schemathesisVersion } from '../schemathesis.ts';
import type { Section } from '../section.ts';
import { inTemporaryFolder } from '../temporary-folder.ts';

/** What a harness made of one service. */
interface Evaluated {
  readonly seconds: number;
  /** As `METHOD /path` and what is objected to. */
  readonly objections: ReadonlySet<string>;
  readonly requests: number;
}

type Harness = (
  service: RunningService,
  options: ServiceOptions | undefined,
) => Promise<Omit<Evaluated, 'requests'>>;

/** Both harnesses against the same services, described by the same document. */
export const besideSchemathesis: Section = {
  name: 'peer',
  title: 'Beside Schemathesis',
  method:
    'Both harnesses are run with their defaults, one after the other, against services in this process: the reference service, ' +
    'every so many of the faults, every so many of the conforming variants (in order of the corpus, those left out that need a document of ' +
    'their own, a rate limit or more than the default budget). Both are given the OpenAPI document of the service, with the schemas of ' +
    'all bodies, and a good key; this harness its target file as well. Requests are counted by the service. A fault counts as ' +
    'found where something is objected to at its operation that is not objected to on the reference service; an objection to a conforming ' +
    'variant that is not one to the reference service, or any to the reference service itself, is an alarm.',
  async measure({ schemathesis: executable = 'schemathesis', faults: wanted }) {
    const version = await schemathesisVersion(executable);
    if (version === undefined) {
      return {
        head: ['what'],
        rows: [['left out: no Schemathesis was found on the PATH or at --schemathesis']],
      };
    }
    const peer: Harness = (service, options) =>
      inTemporaryFolder((folder) =>
        runSchemathesis(executable, { ...keyed(service), document: documentOf(options) }, folder),
      );
    const harnesses: ReadonlyArray<readonly [string, Harness]> = [
      ['this harness', ourselves],
      [`Schemathesis ${version}`, peer],
    ];
    const rows: string[][] = [];
    for (const [name, harness] of harnesses) {
      const healthy = await evaluate(harness, undefined, startService);
      const isNew = (objection: string): boolean => !healthy.objections.has(objection);
      const onFaults: number[] = [];
      let found = 0;
      const faults = everyNth(allFaults.filter(isPlain), wanted);
      for (const fault of faults) {
        const evaluated = await evaluate(harness, fault.options, (options) => startFault(fault, options));
        onFaults.push(evaluated.seconds);
        const place = await placeOf(fault);
        if (
          [...evaluated.objections]
            .filter(isNew)
            .some((one) => place === undefined || one.startsWith(`${place} `))
        ) {
          found += 1;
        }
      }
      let alarmed = 0;
      const variants = everyNth(allVariants.filter(isQuick), Math.ceil(wanted / 3));
      for (const variant of variants) {
        const evaluated = await evaluate(harness, variant.options, (options) =>
          startVariant(variant, options),
        );
        if ([...evaluated.objections].some(isNew)) alarmed += 1;
      }
      rows.push([
        name,
        healthy.seconds.toFixed(1),
        healthy.requests.toLocaleString('en'),
        (healthy.requests / healthy.seconds).toFixed(0),
        healthy.objections.size.toString(),
        `${found} of ${faults.length}`,
        `${alarmed} of ${variants.length}`,
        median(onFaults).toFixed(1),
      ]);
    }
    return {
      head: [
        'harness',
        'seconds',
        'requests',
        'requests/s',
        'objections to the reference service',
        'faults found',
        'variants with an alarm',
        'seconds a fault, median',
      ],
      rows,
    };
  },
};

async function evaluate(
  harness: Harness,
  own: Partial<ServiceOptions> | undefined,
  start: (options: ServiceOptions) => Promise<RunningService>,
): Promise<Evaluated> {
  let requests = 0;
  const count = (parts: ServiceParts): void => {
    const { respond } = parts;
    parts.respond = (answer, call) => {
      requests += 1;
      return respond(answer, call);
    };
  };
  const service = await start({ alter: [count] });
  try {
    return { ...(await harness(service, own)), requests };
  } finally {
    await service.close();
  }
}

const ourselves: Harness = (service, options) =>
  inTemporaryFolder(async (folder) => {
    await writeFile(join(folder, 'target.json'), JSON.stringify(service.target));
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(documentOf(options)));
    const { seconds } = await runNode(
      [
        join(packageRoot, 'dist', 'cli', 'main.js'),
        ...['run', '--quiet', '--target', 'target.json', '--spec', 'openapi.json', '--report-dir', '.'],
      ],
      { cwd: folder },
    );
    const { results } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Report;
    const { operations } = await loadContract();
    const objections = results
      .filter(({ outcome }) => outcome === 'fail' || outcome === 'warn')
      .map(({ operation, check }) => {
        const place = operations.find(({ id }) => id === operation);
        return `${place?.method} ${place?.path} ${check}`;
      });
    return { seconds, objections: new Set(objections) };
  });

function keyed({ baseUrl, target }: RunningService): { baseUrl: string; authorization: string } {
  return { baseUrl, authorization: target.authorization.replace('{key}', () => target.keys.scoped) };
}

function documentOf(options: Partial<ServiceOptions> | undefined): object {
  return renderOpenApiDocument(resolveShape(options?.shape));
}

/** `METHOD /path` of the operation of a fault; undefined where it may show anywhere. */
async function placeOf({ breaks }: Fault): Promise<string | undefined> {
  const { operations } = await loadContract();
  const operation = operations.find(({ id }) => id === breaks.operation);
  return operation && `${operation.method} ${operation.path}`;
}

function isPlain({ withDocument, slow, needs, options }: Fault): boolean {
  return withDocument !== true && slow !== true && needs === undefined && options?.rateLimit === undefined;
}

function isQuick({ slow, options }: Variant): boolean {
  return slow !== true && options?.rateLimit === undefined;
}

/** So many of a list, spread evenly over it. */
function everyNth<T>(all: readonly T[], wanted: number): readonly T[] {
  const count = Math.min(wanted, all.length);
  return Array.from({ length: count }, (_, nth) => all[Math.floor((nth * all.length) / count)] as T);
}
