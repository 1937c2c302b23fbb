import type { ActiveCheck, Evidence } from '../../harness/checks/check.ts';
import { condenseFailures } from '../../harness/checks/condense-failures.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { isConflict, steadyControl } from '../../harness/checks/steady-control.ts';
import { describeAnswer, parseBody, statusOf } from '../../harness/evidence/answer.ts';
import { validVariations } from '../../harness/fuzzing/valid-variations.ts';
import { compileDocument } from '../../harness/openapi/compile-document.ts';
import { noDocument } from '../../harness/openapi/no-document.ts';
import { FreshBodies, type WritableBody } from './fresh-bodies.ts';
import { plainBody, reversed } from './unusual-forms.ts';

/** Enough for a body of a dozen members. */
const mostProbes = 24;

const check: ActiveCheck = {
  kind: 'active',
  last: true,
  requirement: 'REQUEST-3',
  title: 'a known body changed as the schema of the supplied document allows is not answered 400',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  needs: () => ['valid-call'],
  requests: () => mostProbes + 2,
  needsDocument: true,
  probe: async (client, operation) => {
    const compiled = client.document && compileDocument(client.document);
    const validate = compiled?.requestValidator(operation);
    const schema = compiled?.requestSchema(operation);
    if (compiled === undefined || validate === undefined || schema === undefined) return;
    const { exchange: control, missing } = await steadyControl(client, operation, { label: 'valid call' });
    if (missing !== undefined || control === undefined) throw missing;
    const bodies = await FreshBodies.after(client, operation, control, mostProbes);
    const known = validate(bodies.valid).ok
      ? validVariations(compiled.content, schema, bodies.valid, validate)
      : [];
    const variations: ReadonlyArray<WritableBody & { readonly label: string }> = [
      { label: 'members in another order', value: reversed(bodies.valid), write: plainBody },
      ...known.map(({ label, value }) => ({ label, value, write: plainBody })),
    ].slice(0, mostProbes);
    let isRefused = false;
    for (const variation of variations.filter(({ label }) => client.wants(label))) {
      // A session that was cancelled is refused whatever the body says.
      if (!bodies.areFresh) break;
      const exchange = await bodies.call('probe', variation.label, variation);
      isRefused ||= statusOf(exchange) === 400;
    }
    if (isRefused) await client.call({ role: 'witness', label: 'valid call again' });
  },
  evaluate: ({ operation, exchanges, document }: Evidence) => {
    if (document === undefined) return { outcome: 'not-applicable', reason: noDocument };
    const validate = compileDocument(document).requestValidator(operation);
    if (validate === undefined) {
      return {
        outcome: 'not-applicable',
        reason: 'the supplied document shows no fields of the request body',
      };
    }
    const control = exchanges.findLast(({ role }) => role === 'control');
    if (control === undefined) return inconclusive('no valid call could be made');
    if (statusOf(control) !== 200) {
      const reason = `the valid call was answered ${describeAnswer(control)}`;
      return { outcome: 'inconclusive', reason, transient: isConflict(control) };
    }
    // What was sent counts, not what it was meant to be.
    const probes = exchanges.filter((exchange) => {
      const body = exchange.role === 'probe' ? parseBody(exchange.request.body) : undefined;
      return body !== undefined && validate(body).ok;
    });
    if (probes.length === 0) {
      return inconclusive(
        'the known body violates the schema of the supplied document, so that nothing valid could be made of it',
        `bodies: { ${operation.id}: { … a valid ${operation.requestSchema} … } }`,
      );
    }
    const refused = probes.filter((probe) => statusOf(probe) === 400);
    const isWitnessed = exchanges.some((one) => one.role === 'witness' && statusOf(one) === 200);
    const failures = refused.map((exchange) => ({
      what: exchange.label,
      statement: 'a body that satisfies its schema is accepted',
      exchange,
    }));
    return violatedOr(isWitnessed ? condenseFailures(failures, { expected: 'not 400' }) : [], () => {
      if (refused.length === 0) return pass(`not answered 400 in ${probes.length} of ${probes.length} calls`);
      return {
        outcome: 'inconclusive',
        reason: 'answered 400, but so was the valid call when it was sent again',
        transient: true,
      };
    });
  },
};

export default check;
