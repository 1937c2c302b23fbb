/** How a report is printed. */
export interface TerminalOptions {
  readonly colour: boolean;
  /** Columns of the terminal; only lines to be copied, for a shell or a target file, can be longer. */
  readonly width: number;
  /** Root causes that are printed in full; 10 by default. */
  readonly maxFindings?: number;
  /** Only root causes and verdict. */
  readonly quiet?: boolean;
  /** The path of report.json from the working folder. */
  readonly reportPath?: string;
  /** The target file of the run, for commands to be pasted. */
  readonly targetFile?: string;
}

/** The width that is laid out for, whatever the terminal claims. */
export function layoutWidth({ width }: TerminalOptions): number {
  return Number.isFinite(width) ? Math.min(Math.max(40, Math.floor(width)), 160) : 80;
}

/** Where a reader finds what is not printed. */
export function whereToLook({ reportPath }: TerminalOptions): string {
  return reportPath ?? 'report.json';
}
