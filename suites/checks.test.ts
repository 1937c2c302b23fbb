import { describe, expect, test } from 'vitest';
import { allFaults } from '../fixtures/faults/all-faults.ts';
import { loadCatalogue } from '../harness/checks/catalogue.ts';
import { ownArea } from '../harness/checks/custom-check.ts';
import { evaluateExample } from '../harness/checks/load-custom-checks.ts';
import { withExamples } from './examples-for-tests.ts';

const { contract, requirements, checks: loaded } = await loadCatalogue();
const checks = await withExamples(loaded);
const operationIds: ReadonlySet<string> = new Set(contract.operations.map(({ id }) => id));

describe.each(checks)('$id', (check) => {
  test('names a requirement', () => {
    expect(requirements.map(({ id }) => id)).toContain(check.requirement);
  });

  test('applies to an operation', () => {
    expect(contract.operations.some((operation) => check.applies(operation))).toBe(true);
  });

  test('leaves the area of checks of others to these', () => {
    expect(check.area).not.toBe(ownArea);
    expect(check.requirement).not.toMatch(/^OWN-/);
  });

  test('has an id that says what is required', () => {
    expect(check.id).toMatch(/^[a-z]+\/[a-z0-9]+(?:-[a-z0-9]+)+$/);
  });

  test('has examples of holding and of being violated', () => {
    const said = (check.examples ?? []).map(({ says }) => says);
    expect(said).toContain('pass');
    expect(said).toContain('violated');
  });

  test('has examples of its own steps', () => {
    const names = Object.keys((check.kind === 'active' && check.steps) || {});
    const used = check.kind === 'active' ? (check.examples ?? []) : [];
    for (const { step } of used.flatMap(({ given }) => given.exchanges)) {
      if (step !== undefined) expect(names).toContain(step);
    }
  });

  for (const example of check.examples ?? []) {
    test(`example: ${example.name}`, () => {
      expect(evaluateExample(check, example).outcome).toBe(example.says);
    });
  }

  // Otherwise what is seen each time would be called intermittent, and a replay would call it fixed.
  test('violations by an input are violations when a retry repeats it', () => {
    if (check.kind !== 'active' || check.steps?.['repeated'] === undefined) return;
    for (const example of (check.examples ?? []).filter(({ says }) => says === 'violated')) {
      const exchanges = example.given.exchanges.map((exchange) =>
        ['value', 'random'].includes(exchange.step ?? '') ? { ...exchange, step: 'repeated' } : exchange,
      );
      const repeated = { ...example, given: { ...example.given, exchanges } };
      expect(evaluateExample(check, repeated).outcome, example.name).toBe('violated');
    }
  });

  test('violations name clauses that the requirement has', () => {
    const requirement = requirements.find(({ id }) => id === check.requirement);
    for (const example of check.examples ?? []) {
      for (const clause of evaluateExample(check, example).clauses) {
        expect(clause === undefined || requirement?.clauses[clause]).toBeTruthy();
      }
    }
  });
});

describe('the catalogue', () => {
  test.each(requirements)('$id is checked, or excluded for a reason', ({ id, excluded }) => {
    const tested = checks.some(({ requirement }) => requirement === id);
    expect(tested ? excluded : (excluded ?? '').length > 20).toBe(tested ? undefined : true);
  });

  const musts = checks.filter(({ requirement }) =>
    requirements.some(({ id, level }) => id === requirement && level === 'must'),
  );
  test.each(musts)('$id is broken by a fault', ({ id }) => {
    expect(
      allFaults.filter(({ breaks, missed }) => breaks.check === id && missed === undefined),
    ).not.toHaveLength(0);
  });

  test.each(allFaults)('the fault $name names a check and an operation', ({ breaks }) => {
    const named = checks.filter(({ id }) => id === (breaks.check ?? id));
    expect(named.map(({ requirement }) => requirement)).toContain(breaks.requirement);
    if (breaks.operation !== '*') expect(operationIds).toContain(breaks.operation);
  });
});
