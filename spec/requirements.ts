import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtOr, packageRoot } from './package-root.ts';

/** @minLength 1 @pattern ^\S(.*\S)?$ */
type Sentence = string;

/** Weight of a statement: a violated `must` fails, a `should` warns, an `info` is noted. */
export type RequirementLevel = 'must' | 'should' | 'info';

/** A statement under a requirement, with a lower level than the requirement itself. */
export interface RequirementClause {
  readonly level: RequirementLevel;
  readonly title: Sentence;
  readonly violation: Sentence;
  /** The fix, in place of that of the requirement. */
  readonly fix?: Sentence;
}

/** A place in the contract. */
export interface ContractPlace {
  /** A heading, as the contract writes it. */
  readonly section: Sentence;
  /** The rule, row or status within the section. */
  readonly point?: Sentence;
  /** The content of the place, in our own words; absent for requirements of custom checks. */
  readonly says?: string;
}

/** The content of a section of the contract, in our own words. */
export interface ContractSection {
  /** The heading, as the contract writes it. */
  readonly section: string;
  readonly says: string;
  /** Rules, rows and statuses within the section. */
  readonly points: Readonly<Record<string, string>>;
}

/** One normative statement of the contract, in our own words. */
export interface Requirement {
  /** Never renumbered, never reused. @pattern ^[A-Z]+-[1-9][0-9]*$ */
  readonly id: string;
  readonly level: RequirementLevel;
  /** The rule, in one sentence. */
  readonly title: Sentence;
  /** The defect of a service that violates it, the headline of its findings. */
  readonly violation: Sentence;
  readonly contract: readonly ContractPlace[];
  /** Why it matters to a client. */
  readonly rationale: Sentence;
  /** The usual fix of a service that violates it. */
  readonly fix: Sentence;
  /** Unusual behavior of conforming services, which no check may report. @uniqueItems true */
  readonly allows: readonly Sentence[];
  readonly clauses: Readonly<Record<string, RequirementClause>>;
  /** The reason why no check tests it yet; absent where a check must. */
  readonly excluded?: Sentence;
}

let loaded: Promise<readonly Requirement[]> | undefined;

/** Loads all requirements, from the build where there is one. */
export function loadRequirements(): Promise<readonly Requirement[]> {
  loaded ??= builtOr('requirements', readRequirements);
  return loaded;
}

/** Reads spec/requirements.yaml in its order; a test validates the file against its schema. */
export async function readRequirements(): Promise<readonly Requirement[]> {
  const rows: RequirementsFile = await readRows('requirements.yaml');
  const sections = new Map((await readContractSections()).map((one) => [one.section, one]));
  return rows.map((row) => ({
    ...row,
    clauses: row.clauses ?? {},
    contract: row.contract.map((place) => {
      const found = sections.get(place.section);
      const says = place.point === undefined ? found?.says : found?.points[place.point];
      if (says === undefined)
        throw new Error(`${row.id} cites ${placeName(place)}, which spec/contract-sections.yaml lacks`);
      return { ...place, says };
    }),
  }));
}

/** Reads spec/contract-sections.yaml in its order. */
export async function readContractSections(): Promise<readonly ContractSection[]> {
  const sections = await readRows<Omit<ContractSection, 'points'>>('contract-sections.yaml');
  return sections.map((section) => ({ points: {}, ...section }));
}

async function readRows<Row>(file: string): Promise<readonly Row[]> {
  const { parse } = await import('yaml');
  return parse(await readFile(join(packageRoot, 'spec', file), 'utf8')) as readonly Row[];
}

type RequirementRow = Omit<Requirement, 'clauses' | 'contract'> & {
  /** @minItems 1 @uniqueItems true */
  readonly contract: ReadonlyArray<Omit<ContractPlace, 'says'>>;
  /**
   * Statements under the same requirement with a lower level.
   * @minProperties 1
   * @propertyNames { "pattern": "^[a-z][a-z0-9]*(-[a-z0-9]+)*$" }
   */
  readonly clauses?: Requirement['clauses'];
};

/** The checked normative statements, in our own words, each with its place in the contract. @minItems 1 */
type RequirementsFile = readonly RequirementRow[];

/** The places in the contract, such as `Authentication, rule 4; Errors`. */
export function citation(requirement: Requirement): string {
  return requirement.contract.map(placeName).join('; ');
}

/** A place in the contract, such as `Authentication, rule 4`. */
export function placeName({ section, point }: ContractPlace): string {
  return point === undefined ? section : `${section}, ${point}`;
}

/** The anchor of a place in docs/contract.md, such as `authentication-rule-4`. */
export function contractAnchor({ section, point = '' }: ContractPlace): string {
  return `${section} ${point}`
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
}
