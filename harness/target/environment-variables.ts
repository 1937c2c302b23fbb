import type { Json } from '../model/target.ts';
import { type KeyPath, keyText, type TargetProblem } from './target-problem.ts';

/** Environment variables by name, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads texts with environment variables put in: `${NAME}`, and `$${` for a literal `${`. Where `readsAsScalar` holds, a
 * text that is nothing but `${NAME}` is read as a number or true/false.
 */
export function environmentReader(
  env: Environment,
  readsAsScalar: (path: KeyPath) => boolean,
  problems: TargetProblem[],
): (text: string, path: KeyPath) => Json {
  return (text, path) => {
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
        if (found !== undefined && found !== '') return found;
        problems.push({
          path,
          what: `the environment variable ${name} is ${found === undefined ? 'not set' : 'empty'}`,
          why: `${keyText(path)} reads it`,
          remedy: `set it (export ${name}=…), or remove the line`,
        });
        return match;
      },
    );
    const whole = /^\$\{\w+\}$/.test(text) && /^(true|false|-?\d+(\.\d+)?)$/.test(read);
    return whole && readsAsScalar(path) ? (JSON.parse(read.replace(/^(-?)0+(?=\d)/, '$1')) as Json) : read;
  };
}
