import type { ActiveCheck } from '../../harness/checks/check.ts';
import type { RecordedBody } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import { jsonBody } from '../../harness/requests/call-spec.ts';
import { isExcludedBody } from './body-classes.ts';
import { refusedBodies, type UnusualBody } from './refused-bodies.ts';

export const check: ActiveCheck = refusedBodies({
  requirement: 'REQUEST-3',
  title: 'a JSON body that is not an object gets 400',
  subject: 'A JSON body that is not an object',
  planned: { times: 7, strength: 'part' },
  areNoObjects: true,
  bodiesFor: (client, valid) =>
    otherTypes(valid?.request.body)
      .flatMap((alike) => client.share(alike, client.operations.indexOf(client.caseOperation)))
      .filter(({ value }) => !isExcludedBody(client, value, {})),
  clauseOf: () => 'non-object-body',
});

/**
 * Those in one list are alike to most services: a quick run sends one of them, the next one at the next operation. None where
 * the valid body is not known to be an object, as the schema may be of any type.
 */
function otherTypes(
  valid: RecordedBody | undefined,
): ReadonlyArray<ReadonlyArray<UnusualBody & { readonly value: Json }>> {
  if (valid?.json !== 'object') return [];
  const other = (id: string, label: string, value: Json, body = jsonBody(value)) => ({
    id,
    label,
    value,
    body,
  });
  const inArray = { bytes: Buffer.from(`[${valid.text}]`), contentType: 'application/json' };
  return [
    [
      other('empty-array', 'an empty array', []),
      other('in-array', 'the valid body in an array', [], inArray),
      other('null', 'null', null),
    ],
    [
      // A service that parses twice finds the valid body within.
      other('string', 'the valid body in a text', valid.text),
      other('number', 'a number', 1),
      other('true', 'true', true),
      other('false', 'false', false),
    ],
  ];
}
