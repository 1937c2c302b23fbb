import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtOr } from './built.ts';
import { readContractSections } from './contract-sections.ts';
import { packageRoot } from './package-root.ts';

/** Weight of a statement: a violated `must` fails, a `should` warns, an `info` is noted. */
export type RequirementLevel = 'must' | 'should' | 'info';

/** A statement under a requirement, with a lower level than the requirement itself. */
export interface RequirementClause {
  readonly level: RequirementLevel;
  readonly title: string;
  readonly violation: string;
}

/** A place in the contract. */
export interface ContractPlace {
  /** A heading, as the contract writes it. */
  readonly section: string;
  /** The rule, row or status within the section. */
  readonly point?: string;
  /** What it fixes, in our own words; absent for requirements of custom checks. */
  readonly says?: string;
}

/** One normative statement of the contract, in our own words. */
export interface Requirement {
  /** Never renumbered, never reused. */
  readonly id: string;
  readonly level: RequirementLevel;
  /** The rule, in one sentence. */
  readonly title: string;
  /** The defect of a service that violates it, the headline of its findings. */
  readonly violation: string;
  readonly contract: readonly ContractPlace[];
  /** Why it matters to a client. */
  readonly rationale: string;
  /** The usual fix of a service that violates it. */
  readonly fix: string;
  /** Unusual behavior of conforming services, which no check may report. */
  readonly allows: readonly string[];
  readonly clauses: Readonly<Record<string, RequirementClause>>;
  /** The reason why no check tests it yet; absent where a check must. */
  readonly excluded?: string;
}

let loaded: Promise<readonly Requirement[]> | undefined;

/** Loads all requirements, from the build where there is one. */
export function loadRequirements(): Promise<readonly Requirement[]> {
  loaded ??= builtOr('requirements', readRequirements);
  return loaded;
}

/** Reads spec/requirements.yaml in its order; a test validates the file against its schema. */
export async function readRequirements(): Promise<readonly Requirement[]> {
  const { parse } = await import('yaml');
  const text = await readFile(join(packageRoot, 'spec', 'requirements.yaml'), 'utf8');
  const rows = parse(text) as readonly RequirementRow[];
  const sections = new Map((await readContractSections()).map((one) => [one.section, one]));
  return rows.map((row) => ({
    ...row,
    clauses: row.clauses ?? {},
    contract: row.contract.map(({ section, point }) => {
      const found = sections.get(section);
      const says = point === undefined ? found?.says : found?.points[point];
      if (says === undefined)
        throw new Error(`${row.id} cites ${section}, ${point}, which spec/contract-sections.yaml lacks`);
      return { section, ...(point === undefined ? {} : { point }), says };
    }),
  }));
}

type RequirementRow = Omit<Requirement, 'clauses' | 'contract'> &
  Partial<Pick<Requirement, 'clauses'>> & { readonly contract: ReadonlyArray<Omit<ContractPlace, 'says'>> };

/** The places in the contract, such as `Authentication, rule 4; Errors`. */
export function citation(requirement: Requirement): string {
  return requirement.contract.map(placeName).join('; ');
}

/** A place in the contract, such as `Authentication, rule 4`. */
export function placeName({ section, point }: ContractPlace): string {
  return point === undefined ? section : `${section}, ${point}`;
}
