import { describe, expect, it } from 'vitest';
import { loadContract } from '../../../spec/contract.ts';
import { loadRequirements } from '../../../spec/requirements.ts';
import { check } from '../../../suites/surface/supplied-document-matches.check.ts';
import type { CaseResult, RootCause } from '../../model/report.ts';
import { at, contractAsDocument } from '../../openapi/document-for-tests.ts';
import { documentFrom } from '../../openapi/load-document.ts';
import type { Changeable } from '../../openapi/place.ts';
import { type Change, places, planted, put } from '../../openapi/planted-deviations-for-tests.ts';
import { findingOf, violationsById } from '../finding.ts';
import { resultFor } from '../results-for-tests.ts';
import { attribute } from './root-causes.ts';

const contract = await loadContract();
const requirement = (await loadRequirements()).find(({ id }) => id === 'SURFACE-2');
if (requirement === undefined) throw new Error('SURFACE-2 is a requirement');
const id = 'surface/supplied-document-matches';

async function rootCausesOf(
  change: Change,
  reword: (message: string) => string = (message) => message,
): Promise<readonly RootCause[]> {
  const content = contractAsDocument();
  change(content);
  const document = await documentFrom(content, 'openapi.yaml', contract);
  const results = contract.operations.flatMap((operation): readonly CaseResult[] => {
    const evaluation = check.evaluate({ operation, exchanges: [], document, steps: {} } as never);
    if (evaluation.outcome !== 'violated') return [];
    const findings = [...violationsById(evaluation.violations, id).values()].map((violation) =>
      findingOf(
        { ...violation, statement: reword(violation.statement) },
        { check: id, requirement: requirement as never, baseUrl: '' },
        { times: 1, of: 1 },
      ),
    );
    return [
      resultFor('fail', 'must', { operation: operation.id, requirement: 'SURFACE-2', check: id, findings }),
    ];
  });
  return attribute(results).rootCauses;
}

describe('a planted deviation', () => {
  it('is planted in at least 40 kinds', () => {
    expect(planted.length).toBeGreaterThanOrEqual(40);
  });

  it.each(planted)(
    '%s is one root cause, at its place, with advice',
    async (_what, change, place, advice) => {
      const causes = await rootCausesOf(change);
      expect(causes.map(({ headline }) => headline)).toHaveLength(1);
      const [cause] = causes;
      expect(cause?.subject).toBe('OpenAPI document');
      expect(cause?.fix).toContain(place);
      expect(cause?.fix).toContain(advice);
      const reworded = await rootCausesOf(change, (message) => `In other words: ${message}`);
      expect(reworded.map(({ id: other }) => other)).toEqual([cause?.id]);
    },
  );

  it.each(['422', '500', 'default', '5XX'])('%s beside the seven is a should', async (code) => {
    const [cause] = await rootCausesOf(put([...places.read, 'responses', code], { description: 'Oh no.' }));
    expect(cause?.level).toBe('should');
  });
});

describe('a generated document', () => {
  it('that lacks six error statuses everywhere has one root cause', async () => {
    const causes = await rootCausesOf((content) => {
      for (const item of Object.values(at(content, 'paths')) as readonly Changeable[]) {
        for (const method of Object.keys(item)) {
          if (method === 'parameters') continue;
          for (const code of ['400', '401', '403', '404', '409', '429'])
            put([code])(at(item, method, 'responses'));
        }
      }
    });
    expect(causes.map(({ headline }) => headline)).toEqual([
      'The operation does not declare some statuses, at 25 places',
    ]);
  });

  it('without PublicErrorResponse has at most five', async () => {
    const causes = await rootCausesOf((content) => {
      put([...places.schemas, 'PublicErrorResponse'])(content);
    });
    expect(causes.map(({ headline }) => headline)).toEqual([
      'A schema of the document cannot be used, at 6 places',
    ]);
  });
});
