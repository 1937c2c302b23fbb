import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { Step } from '../../harness/checks/step.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { unlessInconclusive } from '../../harness/requests/inconclusive-error.ts';
import { isPlainSlug } from '../../harness/requests/mutate-preserving-shape.ts';
import { otherPairs, productRead } from '../resource/listed-elsewhere.ts';
import { listedValues, listingOf, placeOf } from './listed-resources.ts';

/** Another resource of the kind that an operation reads, or of the store that it reads from, as a listing shows it; none where none does. */
export async function otherListed(
  client: CaseClient,
  step: Step,
  known: Exchange,
): Promise<Readonly<Record<string, string>> | undefined> {
  const operation = client.caseOperation;
  const [name = ''] = operation.pathParameters.slice(-1);
  const values = sentValues(known);
  const listing = listingOf(operation, client.operations);
  const other =
    operation.parameterKinds?.[name] === 'merchant'
      ? await otherStore(client, step, values[name] ?? '')
      : listing &&
        listedValues(
          await client.call(step, { operation: listing, parameters: placeOf(listing, known) }),
          known,
          name,
        )[0];
  return other === undefined ? undefined : { ...values, [name]: other };
}

/** A store that a listing of products shows beside the known one. */
async function otherStore(client: CaseClient, step: Step, store: string): Promise<string | undefined> {
  const ofProduct = productRead(client);
  const [name = ''] = ofProduct?.pathParameters ?? [];
  const item = await unlessInconclusive(() => client.knownValue(name, ofProduct));
  const pairs = item && (await otherPairs(client, step, { store, item: item.value }));
  return pairs?.find((one) => isPlainSlug(one.store))?.store;
}
