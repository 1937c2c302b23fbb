import { describe, expect, it } from 'vitest';
import { check as errorBody } from '../../suites/errors/error-body-matches-schema.check.ts';
import { check as successBody } from '../../suites/success/success-body-matches-schema.check.ts';
import { exampleExchange, exampleOperation } from '../checks/example-exchange.ts';
import { evaluateBody } from './evaluate-body.ts';
import { exampleDocument } from './example-document-for-tests.ts';

const operation = exampleOperation();
const document = exampleDocument(operation, {
  success: { type: 'object', properties: { key: { maxLength: 4 } } },
});
const rule = { statement: 's', expected: 'e' };

it('says what is wrong, but not where a secret was replaced', () => {
  const long = exampleExchange({ status: 200, body: '{"key":"12345"}' });
  expect(evaluateBody(long, operation, document, rule)).toMatchObject({
    ...rule,
    actual: '/key must NOT have more than 4 characters',
  });
  const redacted = exampleExchange({ status: 200, body: '{"key":"<scoped key>"}' });
  expect(evaluateBody(redacted, operation, document, rule)).toBeUndefined();
});

it('says nothing of an answer that did not come whole', () => {
  const cut = exampleExchange({ status: 200, body: '{"key":"12345"}', failure: 'reset' });
  expect(evaluateBody(cut, operation, document, rule)).toBeUndefined();
});

describe.each([
  ['success/success-body-matches-schema', successBody],
  ['errors/error-body-matches-schema', errorBody],
])('%s', (_id, check) => {
  it('is not applicable where no document, or one without fields, was supplied', () => {
    const { notApplicableReason } = check;
    expect(notApplicableReason(operation)).toBe('no document was supplied');
    expect(notApplicableReason(operation, exampleDocument(operation, {}))).toContain('shows no fields');
    const known = { success: { type: 'object' }, error: { type: 'object' } };
    expect(notApplicableReason(operation, exampleDocument(operation, known))).toBeUndefined();
  });
});
