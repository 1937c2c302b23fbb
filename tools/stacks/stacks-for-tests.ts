import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../spec/package-root.ts';

/** The folder of the services and of the configurations of the fronts. */
export const stacksFolder: string = join(packageRoot, 'fixtures', 'stacks');

/** A program that a tool starts when everything that it needs is installed. */
interface Part {
  readonly name: string;
  /** Absolute paths or names of programs, and the commands that provide them. */
  readonly needs: ReadonlyArray<{ readonly file: string; readonly provide: string }>;
  /** The program and its arguments, with placeholders. */
  readonly start: readonly string[];
}

/** A conforming service on a framework. */
export interface Service extends Part {
  /** Path of the OpenAPI document that the framework serves, if it serves one. */
  readonly document?: string;
  /** Compiles a changed copy, if the service must be compiled. */
  readonly build?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Settings of a front. */
export type Setting = 'default' | 'recommended';

/** A reverse proxy, cache or firewall in front of a service. */
export interface Front extends Part {
  /** Names of responders that its root causes may have. */
  readonly responders: readonly string[];
  /** The maximum of root causes in a run with default settings. */
  readonly mostRootCauses: number;
  /** File in `fixtures/stacks/fronts`. */
  readonly template: string;
  /** Marked lines of the template that count. */
  readonly settings: Readonly<Record<Setting, readonly string[]>>;
  readonly usesTls?: boolean;
}

const described = parse(readFileSync(join(stacksFolder, 'stacks.yaml'), 'utf8'), { merge: true }) as {
  readonly services: readonly Service[];
  readonly fronts: readonly Front[];
};

/** All services that `fixtures/stacks/stacks.yaml` describes. */
export const services: readonly Service[] = described.services;

/** All fronts that it describes. */
export const fronts: readonly Front[] = described.fronts;

/** A text of `stacks.yaml` with its placeholders filled in. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  const all = {
    stacks: stacksFolder,
    folder: stacksFolder,
    shop: join(stacksFolder, 'shop.json'),
    node: process.execPath,
    ...values,
  };
  return Object.entries(all).reduce(
    (filled, [name, value]) => filled.replaceAll(`{${name}}`, `${value}`),
    text,
  );
}

/** Throws with the commands that provide what a part needs and this machine lacks. */
export function requirePart({ name, needs }: Part): void {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  const isThere = (file: string): boolean =>
    (file.startsWith('/') ? [file] : folders.map((folder) => join(folder, file))).some(existsSync);
  const missing = needs.filter(({ file }) => !isThere(fillIn(file)));
  if (missing.length > 0)
    throw new Error(`${name} cannot run; it needs: ${missing.map(({ provide }) => provide).join('; ')}`);
}
