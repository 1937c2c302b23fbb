import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../spec/package-root.ts';

/** A step of a job or of a composite action. */
export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
  readonly 'continue-on-error'?: boolean;
}

/** What an action or a workflow can be given. */
export interface Input {
  readonly description: string;
  readonly default?: string | number;
  readonly required?: boolean;
  readonly type?: string;
}

/** What it gives. */
export interface Output {
  readonly description: string;
  readonly value: string;
}

/** A composite action. */
export interface Action {
  readonly inputs: Readonly<Record<string, Input>>;
  readonly outputs: Readonly<Record<string, Output>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

/** A job, which either has steps or calls a workflow. */
export interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly secrets?: Readonly<Record<string, string>> | 'inherit';
  readonly steps?: readonly Step[];
  readonly outputs?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, unknown>> };
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number | string;
}

/** A workflow. */
export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** A workflow that others call. */
export interface CalledWorkflow extends Workflow {
  readonly on: {
    readonly workflow_call: {
      readonly inputs: Readonly<Record<string, Input>>;
      readonly secrets: Readonly<Record<string, Input>>;
      readonly outputs: Readonly<Record<string, Output>>;
    };
  };
}

/** Parses a YAML file of this repository, named from its root. */
export async function readYaml<T>(path: string): Promise<T> {
  return parse(await readFile(join(packageRoot, path), 'utf8')) as T;
}
