import { type Command, InvalidArgumentError, Option } from 'commander';
import { commandOptions } from '../../spec/command-options.ts';
import { flagOf, type OptionRow, type OptionRows } from '../../spec/options.ts';

/** Declares the options that belong to a command alone. */
export function declareOwnOptions(command: Command): void {
  const rows: Readonly<Record<string, OptionRows>> = commandOptions;
  for (const [name, row] of Object.entries(rows[command.name()] ?? {})) {
    const option = optionOf(name, row, row.usual);
    command.addOption(row.default === undefined ? option : option.default(row.default));
  }
}

/** Declares options of a run. Their defaults are only shown: the target file may say otherwise. */
export function declareOptions(command: Command, rows: OptionRows): void {
  for (const [name, row] of Object.entries(rows))
    command.addOption(optionOf(name, row, row.usual ?? row.default));
}

function optionOf(name: string, row: OptionRow, usual: string | number | undefined): Option {
  const flag = flagOf(name, row);
  const { type, value = type === 'integer' || type === 'number' ? '<n>' : undefined } = row;
  const { choices, required = false } = row;
  const help = row.help.replaceAll('`', '');
  const option = new Option(
    value === undefined ? flag : `${flag} ${value}`,
    usual === undefined ? help : `${help} (default: ${usual})`,
  ).makeOptionMandatory(required);
  if (choices !== undefined) option.choices(choices);
  const read = readerOf(flag, row);
  return read === undefined ? option : option.argParser(read);
}

/** Parses the value of a flag; undefined if commander's own parser will do. */
function readerOf(
  flag: string,
  { type, least = 0 }: OptionRow,
): ((text: string, before: unknown) => unknown) | undefined {
  switch (type) {
    case 'integer':
    case 'number':
      return (text) => {
        const value = Number(text);
        const isWhole = type === 'integer';
        const isKnown = text.trim() !== '' && (isWhole ? Number.isSafeInteger : Number.isFinite)(value);
        if (isKnown && value >= least) return value;
        throw new InvalidArgumentError(
          `${flag} takes ${isWhole ? 'a whole number' : 'a number'} of at least ${least}.`,
        );
      };
    case 'day':
      return (text) => {
        const time = new Date(`${text}T00:00:00Z`);
        if (!Number.isNaN(time.getTime()) && time.toISOString().slice(0, 10) === text) return text;
        throw new InvalidArgumentError(`${flag} takes a day such as 2027-01-31.`);
      };
    case 'filled':
      return (text) => {
        if (text.trim() !== '') return text;
        throw new InvalidArgumentError(`${flag} takes a text.`);
      };
    case 'lists':
      return (text, before) => [...((before ?? []) as readonly string[]), text];
    default:
      return undefined;
  }
}
