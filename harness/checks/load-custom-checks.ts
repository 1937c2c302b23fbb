import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contract } from '../../spec/contract.ts';
import type { Requirement } from '../../spec/requirements.ts';
import type { Evaluation } from '../model/evaluation.ts';
import { UsageError } from '../usage-error.ts';
import type { Check, Evidence, Example, IdentifiedCheck, PassiveEvidence } from './check.ts';
import { type CustomCheck, containedCheck, failureOf, type OwnRequirement, ownArea } from './custom-check.ts';
import { pass, violated } from './outcomes.ts';

const packageName = 'commerce-conformance';

export interface CustomChecks {
  readonly checks: readonly IdentifiedCheck[];
  readonly requirements: readonly Requirement[];
}

const typescriptRemedy = 'this Node.js cannot load TypeScript: use 22.18 or newer, or compile it';
const fileName = /\.check\.[mc]?[jt]s$/;
const kinds: ReadonlyArray<CustomCheck['kind']> = ['active', 'passive', 'collective'];

/** Loads the checks of a folder, whose paths give their ids, and runs their examples; throws a UsageError. */
export async function loadCustomChecks(folder: string, contract: Contract): Promise<CustomChecks> {
  const files = await filesOf(folder);
  const loaded = await Promise.all(
    files.map(async (file) => ({ file, check: await loadCheck(folder, file, contract) })),
  );
  const requirements = new Map<string, { readonly file: string; readonly own: OwnRequirement }>();
  const ids = new Map<string, string>();
  const checks = loaded.map(({ file, check }) => {
    const own = check.requirement;
    const before = requirements.get(own.id) ?? { file, own };
    const isOther = JSON.stringify(before.own) !== JSON.stringify(own);
    const different = `${own.id} is a different requirement in ${before.file}`;
    if (isOther) throw refusal(folder, file, different, 'give it another id');
    requirements.set(own.id, before);
    const id = `${ownArea}/${file.replace(fileName, '').split(sep).join('/')}`;
    const twin = ids.get(id);
    if (twin !== undefined)
      throw refusal(folder, file, `its id, ${id}, is also that of ${twin}`, 'rename one of them');
    ids.set(id, file);
    return containedCheck({ ...check, requirement: own.id, id, area: ownArea });
  });
  return { checks, requirements: [...requirements.values()].map(({ own }) => requirementOf(own)) };
}

async function filesOf(folder: string): Promise<readonly string[]> {
  let names: readonly string[];
  try {
    names = await readdir(folder, { recursive: true });
  } catch (error) {
    throw new UsageError({
      where: '--checks',
      what: `${folder} cannot be read`,
      why: (error as Error).message,
      remedy: 'name a folder with checks of your own; see docs/custom-checks.md',
    });
  }
  const files = names
    .filter((name) => fileName.test(name) && !name.split(sep).includes('node_modules'))
    .sort();
  if (files.length > 0) return files;
  throw new UsageError({
    where: '--checks',
    what: `there is no check in ${folder}`,
    remedy: 'the name of a file with a check ends in .check.js, .check.mjs or .check.ts',
  });
}

async function loadCheck(folder: string, file: string, contract: Contract): Promise<CustomCheck> {
  const check = await importCheck(folder, file);
  const objection = objectionTo(check) ?? objectionToUse(check as CustomCheck, contract);
  if (objection !== undefined) throw refusal(folder, file, objection);
  return check as CustomCheck;
}

async function importCheck(folder: string, file: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(join(folder, file)).href)) as { readonly default?: unknown };
    return module.default;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isUnread = code === 'ERR_UNKNOWN_FILE_EXTENSION';
    const remedy = isUnread ? typescriptRemedy : remedyForMissing(message);
    throw refusal(folder, file, 'it cannot be loaded', remedy, message);
  }
}

/** How to install the package that an import does not find. */
function remedyForMissing(message: string): string | undefined {
  const [, name] = /Cannot find package '((?:@[^/']+\/)?[^/']+)/.exec(message) ?? [];
  if (name === undefined) return undefined;
  const packed = name === packageName ? `, or this package's packed file in place of its name` : '';
  return `install it in the folder's project: npm install --save-dev ${name}${packed}`;
}

/** The defects in the form of the export of a file. */
function objectionTo(exported: unknown): string | undefined {
  if (typeof exported !== 'object' || exported === null) return 'its default export is not a check';
  const check = exported as Partial<Record<string, unknown>>;
  if (!kinds.includes(check['kind'] as CustomCheck['kind']))
    return `its kind is not one of ${kinds.join(', ')}`;
  const functions = {
    active: ['applies', 'needs', 'requests', 'probe', 'evaluate'],
    passive: ['applies', 'notApplicableReason', 'evaluate'],
    collective: ['applies', 'dedupeKey', 'evaluate'],
  }[check['kind'] as CustomCheck['kind']];
  const missing = functions.find((name) => typeof check[name] !== 'function');
  if (missing !== undefined) return `its ${missing} is not a function`;
  if (!isText(check['title'])) return 'it has no title';
  const requirement = check['requirement'] as Partial<OwnRequirement> | undefined;
  if (typeof requirement !== 'object' || requirement === null)
    return 'its requirement is not an object with id, level and text';
  if (!/^OWN-[A-Z0-9]+(?:-[A-Z0-9]+)*$/.test(String(requirement.id)))
    return `the id of its requirement, ${requirement.id}, does not have the form OWN-CACHE-1`;
  if (!['must', 'should', 'info'].includes(String(requirement.level)))
    return `the level of ${requirement.id} is not one of must, should, info`;
  if (!isText(requirement.text)) return `${requirement.id} has no text`;
  if (requirement.section !== undefined && !isText(requirement.section))
    return `the section of ${requirement.id} is not a text`;
  return Array.isArray(check['examples']) ? undefined : 'it has no examples';
}

/** The defects in the behaviour of a check that show without sending anything. */
function objectionToUse(check: CustomCheck, contract: Contract): string | undefined {
  try {
    const evaluated = containedCheck({ ...check, requirement: '', id: '', area: '' });
    const applicable = contract.operations.filter((operation) => check.applies(operation));
    if (applicable.length === 0) return 'it applies to no operation';
    for (const operation of applicable) {
      if (check.kind === 'passive') check.notApplicableReason(operation);
      if (check.kind !== 'active') continue;
      check.needs(operation);
      const requests = check.requests(operation, 0);
      if (!Number.isInteger(requests) || requests < 1)
        return `the requests that it sends at ${operation.id}, ${requests}, are not a number`;
    }
    const { examples = [] } = check;
    for (const example of examples) {
      const { name, says } = example;
      const { outcome } = evaluateExample(evaluated, example);
      const failure = failureOf(evaluated);
      if (failure !== undefined)
        return `its evaluate throws at its example ‘${name}’: ${failure.split('\n', 1)[0]}`;
      if (outcome !== says) return `its example ‘${name}’ must say ${says}, but says ${outcome}`;
    }
    const lacking = ['pass', 'violated'].filter((needed) => examples.every(({ says }) => says !== needed));
    return lacking.length === 0 ? undefined : `it has no example that says ${lacking.join(' or ')}`;
  } catch (error) {
    return `it throws: ${(error as Error).message}`;
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function requirementOf({ id, level, text, section }: OwnRequirement): Requirement {
  return {
    id,
    level,
    title: text,
    violation: `Not met: ${text}`,
    contract: [{ section: section ?? 'not in the contract: a requirement of your own' }],
    rationale: 'A requirement of your own, in addition to the contract.',
    fix: 'Make the service answer as the finding expects.',
    allows: [],
    clauses: {},
  };
}

function refusal(folder: string, file: string, what: string, remedy?: string, why?: string): UsageError {
  return new UsageError({
    where: join(folder, file),
    what,
    ...(why === undefined ? {} : { why }),
    remedy: remedy ?? 'see docs/custom-checks.md',
  });
}

/** The outcome of an example of a check of any kind, and the clauses that it violates. */
export function evaluateExample(
  check: Check,
  { given }: Example<Evidence | PassiveEvidence>,
): { readonly outcome: string; readonly clauses: ReadonlyArray<string | undefined> } {
  const evaluation = evaluationOf(check, given);
  const violations = evaluation?.outcome === 'violated' ? evaluation.violations : [];
  return { outcome: evaluation?.outcome ?? 'nothing', clauses: violations.map(({ clause }) => clause) };
}

function evaluationOf(check: Check, given: Evidence | PassiveEvidence): Evaluation | undefined {
  if (check.kind !== 'passive') return check.evaluate(given as Evidence);
  const { exchange, operation, document } = given as PassiveEvidence;
  const found = check.evaluate(exchange, operation, document);
  return found === 'holds' ? pass('the example holds') : found && violated(found);
}
