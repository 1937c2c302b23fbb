import { type ParseArgsConfig, parseArgs } from 'node:util';

/** What `--help` says of flags, by name. */
export type FlagTexts = Readonly<Record<string, string>>;

/** Reads the flags of a tool; ends the process with the flags that it has where `--help` or another one was given. */
export function readFlags<T extends ParseArgsConfig>(
  config: T,
  texts: FlagTexts = {},
): ReturnType<typeof parseArgs<T>> {
  const flags = Object.entries(config.options ?? {}).map(([name, { type }]) => ({
    name,
    flag: type === 'string' ? `--${name} <value>` : `--${name}`,
  }));
  if (process.argv.slice(2).includes('--help')) {
    const width = Math.max(...flags.map(({ flag }) => flag.length));
    const lines = flags.map(({ name, flag }) => `  ${flag.padEnd(width)}  ${texts[name] ?? ''}`.trimEnd());
    process.stdout.write(`The flags are:\n${lines.join('\n')}\n`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    process.stderr.write(
      `${(error as Error).message}\nThe flags are ${flags.map(({ flag }) => flag).join(', ')}.\n`,
    );
    process.exit(2);
  }
}
