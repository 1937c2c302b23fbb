import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A file or program that a part of a stack needs, and the command that provides it. */
export interface Need {
  /** An absolute path, or the name of a program. */
  readonly file: string;
  readonly provide: string;
}

/** Where the processes of a stack listen and keep their files. */
export interface Place {
  readonly port: number;
  /** For HTTP/2 over TLS. */
  readonly tlsPort: number;
  /** The port of the service behind a front. */
  readonly backend: number;
  /** An empty folder. */
  readonly folder: string;
}

/** A program to start. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Commands that provide the missing needs; empty where nothing is missing. */
export function missing(needs: readonly Need[]): readonly string[] {
  const folders = ['', ...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  const isThere = (path: string): boolean => {
    try {
      accessSync(path, constants.R_OK);
      return true;
    } catch {
      return false;
    }
  };
  return needs
    .filter(({ file }) => !folders.some((folder) => isThere(folder === '' ? file : join(folder, file))))
    .map(({ provide }) => provide);
}
