import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Reads the flags of a tool; ends the process with the flags that it has where another one was given. */
export function readFlags<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const flags = Object.entries(config.options ?? {}).map(([name, { type }]) =>
      type === 'string' ? `--${name} <value>` : `--${name}`,
    );
    process.stderr.write(`${(error as Error).message}\nThe flags are ${flags.join(', ')}.\n`);
    process.exit(2);
  }
}
