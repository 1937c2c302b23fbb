import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

/** What a section of the contract fixes, in our own words. */
export interface ContractSection {
  /** The heading, as the contract writes it. */
  readonly section: string;
  readonly says: string;
  /** Rules, rows and statuses within the section. */
  readonly points: Readonly<Record<string, string>>;
}

/** Reads spec/contract-sections.yaml in its order. */
export async function readContractSections(): Promise<readonly ContractSection[]> {
  const { parse } = await import('yaml');
  const text = await readFile(join(packageRoot, 'spec', 'contract-sections.yaml'), 'utf8');
  const sections = parse(text) as ReadonlyArray<Omit<ContractSection, 'points'> & Partial<ContractSection>>;
  return sections.map((section) => ({ points: {}, ...section }));
}

/** The anchor of a place in docs/contract.md, such as `authentication-rule-4`. */
export function contractAnchor({
  section,
  point,
}: {
  readonly section: string;
  readonly point?: string;
}): string {
  return `${section} ${point ?? ''}`
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
}
