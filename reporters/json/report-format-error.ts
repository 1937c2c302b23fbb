/** A text or a value is not a report of the known version; the message says why, for people. */
export class ReportFormatError extends Error {
  override readonly name = 'ReportFormatError';
}
