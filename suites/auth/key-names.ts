import type { CaseClient } from '../../harness/calls/case-client.ts';
import { probe, type Step, type UnnamedStep } from '../../harness/checks/step.ts';
import { parseBody } from '../../harness/evidence/answer.ts';
import { type Leaf, type Leaves, leavesOf } from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import { isSafe } from '../../spec/operation.ts';

/** Number of identity values that are sent as keys, and of reads that get them. */
const [mostNames, mostReads] = [2, 5];

/** The step that sends them; the checks of invalid keys evaluate its calls like those of any case. */
export const keyName: UnnamedStep = probe('what names the key in its identity, in place of the key', {
  weight: 'medium',
  times: mostNames * mostReads,
  expects: [400, 401],
});

/** Sends the names of a key and of its installation, from their identities, in place of the key, to reads that need only a key. */
export async function callByNames(
  client: CaseClient,
  { named, installation }: Readonly<Record<'named' | 'installation', Step>>,
  identity: Exchange,
): Promise<void> {
  const operation = client.operations.find(({ role }) => role === 'identifies-installation');
  const installations = operation === undefined ? [] : await client.repeat(installation, { operation });
  const kept = [identity, ...installations].flatMap((one, at) => {
    const names = namesIn(leavesOf(parseBody(one.response?.body) ?? null)).filter((name) =>
      client.isKept(name),
    );
    const what = at === 0 ? 'name of the key in its identity' : 'name of its installation';
    return names.map((name) => [name, client.keys.asKey(name, what)] as const);
  });
  const credentials = [...new Map(kept.toReversed()).values()].toReversed().slice(0, mostNames);
  const reads = client.operations.filter(
    (one) => one.auth === 'api-key' && isSafe(one) && one.pathParameters.length === 0,
  );
  const calls = reads
    .slice(0, mostReads)
    .flatMap((operation) => credentials.map((credential) => ({ operation, credential })));
  for (const call of calls.slice(0, client.times(named))) {
    const label = `${call.credential.description}, in place of the key`;
    await client.call(named, { ...call, label });
  }
}

/** An account may list its keys, so a value called a key may be a good key. */
const namingFields = /(?:^|[^a-z])(?:id|uuid|name|slug|subject|sub)$|(?:Id|Name)$/;

/** One word, such as an id or the public part of a key. */
const oneWord = /^[\w.:-]{6,80}$/;

/** A word from the path or body of a call, which a service may mistake for a credential. */
export function wordIn({ parameters = {}, body }: CallChanges): string | undefined {
  const members = body === undefined || body === 'none' ? {} : JSON.parse(body.bytes.toString());
  const texts = [...Object.values(parameters), ...leavesOf(members).values()].map(String);
  return texts.find((text) => oneWord.test(text));
}

/** The names of a key in its identity, ids first. */
function namesIn(identity: Leaves): readonly string[] {
  const isName = ([pointer, leaf]: readonly [string, Leaf]): boolean =>
    namingFields.test(pointer) && typeof leaf === 'string' && oneWord.test(leaf);
  const names = [...identity]
    .filter(isName)
    .sort(([one], [other]) => Number(/id$/i.test(other)) - Number(/id$/i.test(one)))
    .map(([, leaf]) => String(leaf));
  return [...new Set(names)];
}
