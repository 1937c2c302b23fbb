import { InvalidArgumentError } from 'commander';

/** A reader of a flag's number that says what is allowed. */
export function numberFlag(
  flag: string,
  { integer = false, least }: { readonly integer?: boolean; readonly least: number },
): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (
      text.trim() === '' ||
      !Number.isFinite(value) ||
      value < least ||
      (integer && !Number.isSafeInteger(value))
    ) {
      throw new InvalidArgumentError(
        `${flag} takes ${integer ? 'a whole number' : 'a number'} of at least ${least}.`,
      );
    }
    return value;
  };
}
