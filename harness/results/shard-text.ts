import type { Shard } from '../model/run-options.ts';

/** Reads a shard such as `2/4`; undefined if the text is not a valid shard. */
export function parseShard(text: string): Shard | undefined {
  const [, index, of] = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || of === undefined || index > of) return undefined;
  return { index, of };
}

/** A shard in words: `shard 2 of 4`. */
export function shardInWords({ index, of }: Shard): string {
  return `shard ${index} of ${of}`;
}
