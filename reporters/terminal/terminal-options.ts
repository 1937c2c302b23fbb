/** How a report is printed. */
export interface TerminalOptions {
  readonly colour: boolean;
  /** Columns of the terminal; only lines to be copied, for a shell or a target file, may be longer. */
  readonly width: number;
  /** Most findings, or groups of one cause, that are printed whole; 10 unless told. */
  readonly maxFindings?: number;
  /** Only findings and verdict. */
  readonly quiet?: boolean;
  /** Where report.json was written, as the user would open it. */
  readonly reportPath?: string;
}

/** The width that is laid out for, whatever the terminal claims. */
export function layoutWidth({ width }: TerminalOptions): number {
  return Number.isFinite(width) ? Math.min(Math.max(40, Math.floor(width)), 160) : 80;
}

/** Where a reader finds what is not printed. */
export function whereToLook({ reportPath }: TerminalOptions): string {
  return reportPath ?? 'report.json';
}
