/** How to write to a stream: colours only on a terminal, and never where NO_COLOR or the user says no. */
export function terminalOf(
  stream: NodeJS.WriteStream,
  wanted: boolean,
): { readonly colour: boolean; readonly width: number } {
  const forced = (process.env['FORCE_COLOR'] ?? '0') !== '0';
  const refused = !wanted || (process.env['NO_COLOR'] ?? '') !== '' || process.env['TERM'] === 'dumb';
  return { colour: !refused && (stream.isTTY === true || forced), width: stream.columns ?? 100 };
}
