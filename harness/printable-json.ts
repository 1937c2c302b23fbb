// JSON itself leaves these as they are; a line feed can only be layout.
const unsafe = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu;

/** Few texts have any, and the pattern above takes its time for each character. */
const beyondAscii = /[^\n -~]+/g;

/** JSON in which characters that are invisible or change the direction of text are escaped, so that it is safe to print. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(beyondAscii, (run) => run.replace(unsafe, escaped));
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
