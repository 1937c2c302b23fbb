import type { Target } from '../model/target.ts';
import { UsageError } from '../usage-error.ts';
import {
  type KeyPath,
  type Objection,
  objectionTo,
  type TargetProblem,
  type TextRule,
} from './target-problem.ts';

const nameRules: readonly TextRule[] = [
  {
    refuses: /^$|[^!#$%&'*+.^_`|~0-9A-Za-z-]/,
    what: 'is not a header name',
    remedy: 'use letters, digits and -',
  },
  {
    refuses: /^authorization$/i,
    what: 'cannot be set for every request',
    why: 'it carries the keys, and many checks send none or a wrong one',
    remedy: 'give the keys under keys, and their form as authorization',
  },
  {
    refuses: /^(?:connection|content-length|content-type|keep-alive|te|trailer|transfer-encoding|upgrade)$/i,
    what: 'cannot be set for every request',
    why: 'the checks or the connection set it',
    remedy: 'remove it',
  },
];

/** Headers with values of the harness's own, which would be sent twice. */
const ownRules: readonly TextRule[] = [
  {
    refuses: /^user-agent$/i,
    what: 'cannot be set for every request',
    why: 'the harness sends its own',
    remedy: 'remove it; the option userAgent sets its value',
  },
  {
    refuses: /^(?:accept|traceparent|x-request-id)$/i,
    what: 'cannot be set for every request',
    why: 'the harness sends its own',
    remedy: 'remove it',
  },
];

const valueRules: readonly TextRule[] = [
  {
    refuses: /[\r\n]/,
    what: 'contains a line break',
    why: 'a header value is one line',
    remedy: 'remove the line break; a value read from a file often ends in one',
  },
  {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    refuses: /[\u0000-\u001f\u007f]/,
    what: 'contains a control character',
    why: 'it cannot be sent in a header',
    remedy: 'copy the value again, without tabs or invisible characters',
  },
  {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the bounds of Latin-1
    refuses: /[^\u0000-\u00ff]/,
    what: 'contains a character outside Latin-1',
    why: 'it cannot be sent in a header',
    remedy: 'copy the value again; quotation marks or dashes may have been replaced',
  },
  {
    refuses: /^\s|\s$/,
    what: 'starts or ends with white space',
    why: 'white space around a header value is lost in transit',
    remedy: 'remove it',
  },
];

const keyRules: readonly TextRule[] = [
  { refuses: /^$/, what: 'is empty', remedy: 'give the key, or leave it out' },
  ...valueRules,
];

const authorizationRules: readonly TextRule[] = [
  {
    refuses: /^(?!.*\{key\})/s,
    what: 'does not contain {key}',
    why: 'it says how a key is written in the Authorization header, {key} standing for it',
    remedy: "write '{key}' for the bare key, or for example 'Bearer {key}'",
  },
  ...valueRules,
];

const sameKey: Objection = {
  what: 'the unscoped key is the same as the scoped one',
  why: 'the scope can only be tested with a second key that lacks catalog:read',
  remedy: 'give a valid key without catalog:read, or leave the unscoped key out',
};

/** The problems of what a target adds to the headers of requests; a target file or the command line gives it. */
export function headerProblems({
  authorization,
  keys: { scoped, unscoped },
  headers,
}: Pick<Target, 'authorization' | 'keys' | 'headers'>): readonly TargetProblem[] {
  const ofKey = (key: string | undefined): Objection | undefined =>
    key === undefined ? undefined : objectionOf('the key', key, keyRules);
  const isSame = scoped !== undefined && scoped === unscoped;
  const objections: ReadonlyArray<readonly [path: KeyPath, objection: Objection | undefined]> = [
    [['authorization'], objectionOf('authorization', authorization, authorizationRules)],
    [['keys', 'scoped'], ofKey(scoped)],
    [['keys', 'unscoped'], ofKey(unscoped) ?? (isSame ? sameKey : undefined)],
    ...headers.map(([name, value]) => {
      const objection = headerObjection(name, value) ?? objectionOf(JSON.stringify(name), name, ownRules);
      return [['headers', name], objection] as const;
    }),
  ];
  return objections.flatMap(([path, objection]) => (objection === undefined ? [] : { ...objection, path }));
}

/** The objection to a text, said of what is called `name`; never repeats the text. */
function objectionOf(name: string, text: string, rules: readonly TextRule[]): Objection | undefined {
  const objection = objectionTo(text, rules);
  return objection && { ...objection, what: `${name} ${objection.what}` };
}

function headerObjection(name: string, value: string): Objection | undefined {
  return (
    objectionOf(JSON.stringify(name), name, nameRules) ?? objectionOf(`the header ${name}`, value, valueRules)
  );
}

/** Reads `Name: value`, as `--header` takes it. */
export function parseHeader(text: string, where: string): readonly [name: string, value: string] {
  const objection = headerLineObjection(text);
  if (objection !== undefined) throw new UsageError({ ...objection, where });
  return splitHeader(text);
}

/** Says why a text is not a header line that can be sent with a request. */
export function headerLineObjection(text: string): Objection | undefined {
  if (text.indexOf(':') < 1)
    return { what: 'a header needs a name, a colon and a value', remedy: "write 'Name: value'" };
  return headerObjection(...splitHeader(text));
}

function splitHeader(text: string): readonly [name: string, value: string] {
  const colon = text.indexOf(':');
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}
