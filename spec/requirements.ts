import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { compileSchema } from './json-schema.ts';
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
  readonly lawful: readonly string[];
  readonly clauses: Readonly<Record<string, RequirementClause>>;
  /** Why no check tests it yet; absent where one must. */
  readonly excluded?: string;
}

/** Reads spec/requirements.yaml in its order; throws, naming row and field, where it breaks its schema. */
export async function loadRequirements(): Promise<readonly Requirement[]> {
  const rows: unknown = parse(await readFile(join(packageRoot, 'spec', 'requirements.yaml'), 'utf8'));
  const validation = compileSchema<readonly RequirementRow[]>('requirements.schema.json')(rows);
  if (!validation.ok) {
    const defects = validation.errors.map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
    throw new Error(`spec/requirements.yaml: ${defects.join('; ')}`);
  }
  return validation.value.map((row) => ({ ...row, clauses: row.clauses ?? {} }));
}

type RequirementRow = Omit<Requirement, 'clauses'> & Partial<Pick<Requirement, 'clauses'>>;

/** Where the contract says so, such as `Authentication, rule 4; Errors`. */
export function citation(requirement: Requirement): string {
  return requirement.contract
    .map(({ section, point }) => (point === undefined ? section : `${section}, ${point}`))
    .join('; ');
}
