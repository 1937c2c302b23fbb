// JSON itself leaves these as they are; a line feed can only be layout.
const unsafe = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu;

const beyondAscii = /[^\n -~]/;

/** JSON in which characters that are invisible or change the direction of text are escaped, so that it is safe to print. */
export function printableJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  return beyondAscii.test(text) ? text.replace(unsafe, escaped) : text;
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
