/** Takes the exit code that a command ends with. */
export type SetExitCode = (code: number) => void;
