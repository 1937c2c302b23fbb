import { resolve } from 'node:path';
import { makeChallenge, readChallenge } from '../../harness/certification/challenge.ts';
import { serialiseEnvelope } from '../../harness/certification/envelope.ts';
import { keyIdOf } from '../../harness/certification/signing-key.ts';
import { isLoopbackUrl } from '../../harness/certification/target-obstacles.ts';
import { harnessIdentity } from '../../harness/identity.ts';
import { parseBaseUrl } from '../../harness/target/base-url.ts';
import { UsageError } from '../../harness/usage-error.ts';
import type { CommandFlags } from '../../spec/command-options.ts';
import type { CommandDefinition } from '../command-list.ts';
import { isUnprintable, mayLookLikeAnother } from '../names.ts';
import { readPublicKeyFile, readSigningKeyFile } from '../options/pem-files.ts';
import { writeNewFile } from '../write-new-file.ts';

const day = 86_400_000;
const longestName = 200;

/** `challenge`: a programme owner asks a vendor to certify one product. */
export const command: CommandDefinition = {
  after: `Example:
  npx commerce-conformance challenge --vendor Acme --product Shop --base-url https://api.acme.example \\
    --days 14 --sign-key owner/certificate-private.pem --vendor-key acme-public.pem --out acme.json`,
  run: challenge,
};

async function challenge(flags: CommandFlags<'challenge'>): Promise<void> {
  const { vendor, product, days, out, development = false } = flags;
  const baseUrl = parseBaseUrl(flags.baseUrl, '--base-url');
  for (const [where, name] of Object.entries({ '--vendor': vendor, '--product': product })) {
    if (name === '' || name.length > longestName || isUnprintable(name))
      throw new UsageError({
        where,
        what: `a name has 1 to ${longestName} visible characters, and single spaces between its words`,
      });
    if (mayLookLikeAnother(name))
      throw new UsageError({
        where,
        what: 'readers may mistake the name for another',
        why: 'a word mixes alphabets, or a character is written in an unusual form, such as a full-width or circled letter',
        remedy: 'write each word in one alphabet, with its usual letters',
      });
  }
  if (isLoopbackUrl(baseUrl) && !development)
    throw new UsageError({
      where: '--base-url',
      what: 'the base URL is on loopback, where you cannot reach what the vendor tests',
      remedy: 'name a base URL that you can reach; for a rehearsal add --development',
    });
  const key = await readSigningKeyFile(flags.signKey, '--sign-key');
  const vendorKey = await readPublicKeyFile(flags.vendorKey, '--vendor-key');
  if (vendorKey !== undefined && keyIdOf(vendorKey) === keyIdOf(key))
    throw new UsageError({
      where: '--vendor-key',
      what: 'it is your own key, with which the vendor could countersign',
      remedy: "name the vendor's public key",
    });
  const now = Date.now();
  const envelope = makeChallenge(
    {
      vendor,
      product,
      baseUrl,
      notBefore: new Date(now).toISOString(),
      notAfter: new Date(now + days * day).toISOString(),
      harness: harnessIdentity,
      development,
      ...(vendorKey === undefined ? {} : { vendorKey: keyIdOf(vendorKey) }),
    },
    key,
  );
  await writeNewFile(resolve(out), serialiseEnvelope(envelope));
  const { document } = readChallenge(envelope);
  process.stdout.write(
    `${out}  ${development ? 'development ' : ''}challenge for ${vendor}, ${product}, at ${baseUrl}\n` +
      `valid until ${document.notAfter}, with ${harnessIdentity.name} ${harnessIdentity.version}\n` +
      `signed by ${document.owner.keyid}\n` +
      `The vendor runs: npx commerce-conformance run --target target.yaml --certify --challenge ${out} --sign-key FILE${development ? ' --development' : ''}\n`,
  );
}
