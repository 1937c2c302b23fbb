import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import type { Profile } from '../../harness/profile.ts';
import type { Credential } from '../../harness/requests/key-ring.ts';
import type { Operation } from '../../spec/operation.ts';
import { numberOfPairs, pairsOfDefects } from './several-defects.ts';

const { operations } = (await loadCatalogue()).contract;
const [none, invalid, unscoped] = ['none', 'invalid', 'unscoped'].map(
  (kind) => ({ kind, description: kind, header: kind }) as Credential,
) as [Credential, Credential, Credential];

function labels(operation: Operation, profile: Profile): readonly string[] {
  const sources = { keys: { none, invalid, unscoped }, values: {}, random: () => 0.5 };
  return pairsOfDefects(operation, sources, profile).map(({ label }) => label);
}

describe.each(operations)('$id', (operation) => {
  test.each(['quick', 'standard'] as const)('sends as many pairs as were planned: %s', (profile) => {
    expect(labels(operation, profile)).toHaveLength(numberOfPairs(operation, profile));
  });
});
