import type { PassiveCheck, PassiveEvidence } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { SuppliedDocument } from '../../harness/model/supplied-document.ts';
import { compileDocument } from '../../harness/openapi/compile-document.ts';
import { evaluateBody } from '../../harness/openapi/evaluate-body.ts';
import { exampleDocument } from '../../harness/openapi/example-document.ts';
import { noDocument } from '../../harness/openapi/no-document.ts';

const operation = exampleOperation();
const document = exampleDocument(operation, {
  success: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
});

const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'SUCCESS-3',
  title: 'a 200 body matches the schema that the supplied document gives it',
  applies: () => true,
  notApplicableReason: (operation, document?: SuppliedDocument) => {
    if (document === undefined) return noDocument;
    const known = compileDocument(document).responseValidator(operation, 200, undefined);
    return known === undefined ? 'the supplied document shows no fields of the 200 body' : undefined;
  },
  evaluate: (exchange, operation, document?: SuppliedDocument) => {
    if (exchange.response?.status !== 200 || mayBeElsewhere(exchange)) return undefined;
    return evaluateBody(exchange, operation, document, {
      statement: 'a 200 body matches its schema',
      expected: `a body that matches ${operation.responseSchema ?? 'the schema in the document'}`,
    });
  },
  examples: [
    { name: 'a body that matches', given: given({ status: 200, body: '{"a":1}' }), says: 'pass' },
    {
      name: 'a member beyond the schema',
      given: given({ status: 200, body: '{"a":1,"b":null}' }),
      says: 'pass',
    },
    { name: 'a required member is missing', given: given({ status: 200, body: '{}' }), says: 'violated' },
    { name: 'a member of another type', given: given({ status: 200, body: '{"a":"1"}' }), says: 'violated' },
    { name: 'an error', given: given({ status: 404, body: '{}' }), says: 'nothing' },
    { name: 'no JSON', given: given({ status: 200, body: '<p>' }), says: 'nothing' },
    {
      name: 'a path value with which another operation may have been reached',
      given: given({ status: 200, body: '{}', values: { slug: { value: '../x', source: 'generated' } } }),
      says: 'nothing',
    },
    {
      name: 'no document',
      given: { operation, exchange: exampleExchange({ status: 200, body: '{}' }) },
      says: 'nothing',
    },
  ],
};

export default check;

/** A server may route a path with such a value as it sees fit, so that another operation answers. */
function mayBeElsewhere({ request }: Exchange): boolean {
  return Object.values(request.values).some(
    ({ source, value }) => source === 'generated' && !/^[\p{L}\p{M}\p{N}_~-]+$/u.test(value),
  );
}

function given(parts: Parameters<typeof exampleExchange>[0]): PassiveEvidence {
  return { operation, document, exchange: exampleExchange(parts) };
}
