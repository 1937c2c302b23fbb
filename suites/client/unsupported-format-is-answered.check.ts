import { gzipSync } from 'node:zlib';
import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { errorBodyFault, jsonFault } from '../../harness/checks/json-fault.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { probe } from '../../harness/checks/step.ts';
import { wrongAnswers } from '../../harness/checks/wrong-answers.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import { jsonBody } from '../../harness/requests/call-spec.ts';
import { unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';

const takesName = ({ pathParameters }: Operation): boolean => pathParameters.length > 0;
const takesBody = ({ requestSchema }: Operation): boolean => requestSchema !== undefined;

export const check: ActiveCheck = activeCheck({
  stage: 'last',
  requirement: 'CLIENT-2',
  title: 'a call with an unsupported Accept or Content-Encoding is answered as the contract declares',
  applies: () => true,
  weight: () => 'medium',
  steps: {
    page: probe('Accept: text/html', { at: isSafe }),
    asterisk: probe('Accept: *', { at: isSafe }),
    unreadable: probe('Accept: null for an unknown resource', {
      at: (operation) => isSafe(operation) && takesName(operation),
    }),
    refused: probe('Accept: application/xml and a refusal', {
      at: (operation) => isSafe(operation) && (operation.auth === 'api-key' || takesName(operation)),
    }),
    compressed: probe('a body compressed with gzip', { at: takesBody }),
    claimed: probe('a body that only claims to be compressed with gzip', { at: takesBody }),
  },
  probe: async (client, steps, operation) => {
    if (takesBody(operation)) {
      const { bytes, contentType } = jsonBody(await client.validBody());
      const headers = { 'content-encoding': 'gzip' };
      await client.call(steps.compressed, { headers, body: { bytes: gzipSync(bytes), contentType } });
      await client.call(steps.claimed, { headers, body: { bytes, contentType } });
    }
    if (!isSafe(operation)) return;
    await client.call(steps.page, { headers: { accept: 'text/html' } });
    await client.call(steps.asterisk, { headers: { accept: '*' } });
    const name = operation.pathParameters.at(-1);
    const unknown = async (): Promise<Record<string, string>> =>
      name === undefined
        ? {}
        : { [name]: unknownLike((await client.knownValue(name)).value, client.random(name)) };
    const xml = { headers: { accept: 'application/xml' } };
    if (operation.auth === 'api-key')
      await client.call(steps.refused, { ...xml, credential: client.keys.none, placeholders: true });
    else if (name !== undefined) await client.call(steps.refused, { ...xml, parameters: await unknown() });
    if (name === undefined) return;
    await client.call(steps.unreadable, { headers: { accept: 'null' }, parameters: await unknown() });
  },
  evaluate: ({ operation, steps }) => {
    const probes = Object.values(steps).flat();
    if (probes.length === 0) return inconclusive('no call with an unsupported format was sent');
    const rule = {
      expected: 'a declared status with its body',
      statement: () => 'An unsupported format was not answered as declared',
    };
    const wrong = probes.filter((exchange) => {
      const status = statusOf(exchange);
      if (status === undefined || !operation.statuses.includes(status)) return true;
      if (status === 200 && operation.responseSchema === undefined) return false;
      return (status === 200 ? jsonFault : errorBodyFault)(exchange) !== undefined;
    });
    return violatedOr(wrongAnswers(wrong, rule), () =>
      pass(`answered as declared in ${probes.length} of ${probes.length} calls`),
    );
  },
});
