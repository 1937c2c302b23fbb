import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtOr } from './built.ts';
import { packageRoot } from './package-root.ts';

/** Weight of a statement: a violated `must` fails, a `should` warns, an `info` is noted. */
export type RequirementLevel = 'must' | 'should' | 'info';

/** A statement under a requirement that weighs less than the requirement itself. */
export interface RequirementClause {
  readonly level: RequirementLevel;
  readonly title: string;
}

/** A place in the contract. */
export interface ContractPlace {
  /** A heading, as the contract writes it. */
  readonly section: string;
  /** The rule, row or status within the section. */
  readonly point?: string;
}

/** One normative statement of the contract, in our own words. */
export interface Requirement {
  /** Never renumbered, never reused. */
  readonly id: string;
  readonly level: RequirementLevel;
  /** One sentence stating what holds. */
  readonly title: string;
  readonly contract: readonly ContractPlace[];
  /** Why it matters to a client. */
  readonly rationale: string;
  /** What usually mends a service that violates it. */
  readonly fix: string;
  /** Odd things that a service may do and still conform, which no check may accuse. */
  readonly conforming: readonly string[];
  readonly clauses: Readonly<Record<string, RequirementClause>>;
  /** Why no check tests it yet; absent where one must. */
  readonly excluded?: string;
}

let loaded: Promise<readonly Requirement[]> | undefined;

/** All requirements, as the build read them. */
export function loadRequirements(): Promise<readonly Requirement[]> {
  loaded ??= builtOr('requirements', readRequirements);
  return loaded;
}

/** Reads spec/requirements.yaml in its order; that it keeps to its schema is held by the tests. */
export async function readRequirements(): Promise<readonly Requirement[]> {
  const { parse } = await import('yaml');
  const text = await readFile(join(packageRoot, 'spec', 'requirements.yaml'), 'utf8');
  const rows = parse(text) as readonly RequirementRow[];
  return rows.map((row) => ({ ...row, clauses: row.clauses ?? {} }));
}

type RequirementRow = Omit<Requirement, 'clauses'> & Partial<Pick<Requirement, 'clauses'>>;

/** Where the contract says so, such as `Authentication, rule 4; Errors`. */
export function citation(requirement: Requirement): string {
  return requirement.contract
    .map(({ section, point }) => (point === undefined ? section : `${section}, ${point}`))
    .join('; ');
}
