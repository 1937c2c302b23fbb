import type { Json } from '../model/target.ts';
import { type KeyPath, keyText, type TargetProblem } from './target-problem.ts';

/** Environment variables by name, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Which paths take a number or true/false from a text that is nothing but `${NAME}`. */
export type ReadsAsScalar = (path: KeyPath) => boolean;

/** Puts environment variables into all texts: `${NAME}`, and `$${` for a literal `${`. */
export function readEnvironment(
  value: Json,
  env: Environment,
  readsAsScalar: ReadsAsScalar,
  problems: TargetProblem[],
): Json {
  const walk = (item: Json, path: KeyPath): Json => {
    if (typeof item === 'string') return readText(item, path);
    if (typeof item !== 'object' || item === null) return item;
    if (isList(item)) return item.map((entry, index) => walk(entry, [...path, index]));
    return Object.fromEntries(
      Object.entries(item).map(([name, entry]) => [name, walk(entry, [...path, name])]),
    );
  };
  const readText = (text: string, path: KeyPath): Json => {
    const read = text.replaceAll(
      /\$\$\{|\$\{([^}]*)(\}?)/g,
      (match, name: string | undefined, end: string) => {
        if (name === undefined) return '${';
        if (end === '' || !/^[A-Za-z_]\w*$/.test(name)) {
          problems.push({
            path,
            what: `${keyText(path)} contains \${ without the name of an environment variable`,
            why: `\${NAME} reads the environment; defaults and expressions are not known`,
            remedy: `write \${NAME} with letters, digits and _, or $\${ for a literal \${`,
          });
          return match;
        }
        const found = Object.hasOwn(env, name) ? env[name] : undefined;
        if (found === undefined || found === '') {
          problems.push({
            path,
            what: `the environment variable ${name} is ${found === undefined ? 'not set' : 'empty'}`,
            why: `${keyText(path)} reads it`,
            remedy: `set it (export ${name}=…), or remove the line`,
          });
          return match;
        }
        return found;
      },
    );
    const whole = /^\$\{\w+\}$/.test(text) && /^(true|false|-?\d+(\.\d+)?)$/.test(read);
    return whole && readsAsScalar(path) ? (JSON.parse(read.replace(/^(-?)0+(?=\d)/, '$1')) as Json) : read;
  };
  return walk(value, []);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
