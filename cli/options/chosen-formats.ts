import { knownNames } from '../../harness/target/nearest-name.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { defaultFormats, formats, type ReportFormat } from '../../reporters/formats.ts';

const known: readonly string[] = formats.map(({ name }) => name);

/**
 * The formats asked for by flag, else by the target file, else those of the place, in addition to report.json, which is
 * always written; refuses a name that is not known.
 */
export function chosenViews(
  flag: readonly string[] | undefined,
  fromFile: unknown,
  github: boolean,
): readonly ReportFormat[] {
  const list = flag ?? [fromFile ?? [...defaultFormats, ...(github ? ['markdown'] : [])]].flat();
  const named = namedFormats(list as string[], flag === undefined ? 'options.format' : '--format');
  return named.filter(({ name }) => name !== 'json');
}

/** The formats of a list, each once; `where` names the place of the list in the message about an unknown name. */
export function namedFormats(list: readonly string[], where: string): readonly ReportFormat[] {
  const names = list.flatMap((item) => item.split(',')).map((name) => name.trim());
  return [...new Set(names)].map((name) => {
    const format = formats.find((one) => one.name === name);
    if (format !== undefined) return format;
    throw new UsageError({
      where,
      what: name === '' ? 'the name of a format is empty' : `there is no format ${name}`,
      remedy: knownNames(name, known),
    });
  });
}
