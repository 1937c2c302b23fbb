/** A file as a format writes it. */
export interface RenderedFile {
  /** Where it belongs, relative to the folder of the reports, parts divided by `/`. */
  readonly path: string;
  readonly text: string;
}
