/** Version of certificates and of the evidence behind them; the first one, with other request ids, did not state it. */
export const certificateFormat = 2;

/** A file of a version that this program does not know, which says nothing about the file's truth. */
export class OtherFormatVersion extends Error {}

/** Throws an `OtherFormatVersion` where a document does not state the version of its format that this program reads. */
export function requireFormatVersion(stated: unknown, read: number): void {
  if (stated === read) return;
  const who = typeof stated === 'number' && stated > read ? 'a newer version' : 'the version that wrote it';
  throw new OtherFormatVersion(
    stated === undefined
      ? `states no version of its format, as an older commerce-conformance wrote it: verify it with ${who}`
      : `has the format version ${JSON.stringify(stated).slice(0, 40)}, and this commerce-conformance reads ${read}: verify it with ${who}`,
  );
}
