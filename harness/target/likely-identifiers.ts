import type { ResourceKind } from '../../spec/operation.ts';
import { namedScalars } from '../evidence/json-leaves.ts';

/** Names of members that hold the identifier of the object in which they stand, the likeliest first. */
const identifierNames = ['slug', 'handle', 'urlKey', 'permalink', 'key', 'code', 'id', 'ref', 'name'];
const merchantNames = /^(?:merchant|store|shop|seller|vendor|storefront|tenant)s?$/;
const merchantIdentifier =
  /^(?:merchant|store|shop|seller|vendor|storefront|tenant)(?:slug|handle|key|code|id|ref)?$/;
const productIdentifier = /^product(?:slug|handle|key|code|id|ref)?$/;
const looksLikeIdentifier = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._~-]{0,127}$/u;

/** Guesses, to be tried, at the values in a listing that name a product or a merchant, the likeliest first. */
export function likelyIdentifiers(body: unknown, kind: ResourceKind): readonly string[] {
  const ranked = membersIn(body).flatMap(({ name, value, owner }) => {
    const rank = rankOf(name, owner, kind) ?? rankOfSlug(value, name, owner, kind);
    return rank !== undefined && looksLikeIdentifier.test(value) ? [{ value, rank }] : [];
  });
  return [...new Set(ranked.sort((a, b) => a.rank - b.rank).map(({ value }) => value))];
}

/** Members that hold the name of a product for people. */
const displayNames = /^(?:(?:display|product)?name|title|label)$/;

/** A word of each product's name in a listing, then those of what looks like its identifier. */
export function searchWords(body: unknown): readonly string[] {
  const names = membersIn(body)
    .filter(({ name, owner }) => displayNames.test(name) || displayNames.test(owner))
    .filter(({ owner }) => !merchantNames.test(owner) && !/categor/.test(owner))
    .map(({ value }) => value);
  const texts = [...names, ...likelyIdentifiers(body, 'product')];
  return [...new Set(texts.flatMap((text) => /[\p{L}\p{M}]{3,40}/u.exec(text)?.[0] ?? []))];
}

/** What looks like a slug may name a product, whatever it is called here. */
function rankOfSlug(value: string, name: string, owner: string, kind: ResourceKind): number | undefined {
  if (kind !== 'product' || merchantNames.test(owner) || merchantIdentifier.test(name)) return undefined;
  return /^[\p{Ll}\p{N}]+(?:-[\p{Ll}\p{N}]+)+$/u.test(value) ? 40 : undefined;
}

/** What a member of this name is likely to name; undefined where it is neither. */
export function resourceNamed(name: string): ResourceKind | undefined {
  const bare = plainName(name);
  if (merchantIdentifier.test(bare)) return 'merchant';
  return productIdentifier.test(bare) ? 'product' : undefined;
}

function rankOf(name: string, owner: string, kind: ResourceKind): number | undefined {
  const within = identifierNames.map(plainName).indexOf(name);
  if (kind === 'merchant') {
    if (merchantIdentifier.test(name)) return 0;
    return merchantNames.test(owner) && within >= 0 ? 1 + within : undefined;
  }
  if (productIdentifier.test(name)) return 0;
  if (merchantNames.test(owner) || within < 0) return undefined;
  return (/categor/.test(owner) ? 20 : 1) + within;
}

/** A name as it is compared: in lower case, its words joined. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** The texts and ids of members, as texts; those of lists have no names. */
function membersIn(body: unknown): readonly Record<'name' | 'owner' | 'value', string>[] {
  return namedScalars(body)
    .filter(
      ({ name, value }) => !/^\d*$/.test(name) && (typeof value === 'string' || Number.isSafeInteger(value)),
    )
    .map(({ name, owner, value }) => ({
      name: plainName(name),
      owner: plainName(owner),
      value: String(value),
    }));
}
