import type { CommandDefinition } from './command-list.ts';
import { baselineCommand } from './commands/baseline.command.ts';
import { challengeCommand } from './commands/challenge.command.ts';
import { checkRegisterCommand } from './commands/check-register.command.ts';
import { checksCommand } from './commands/checks.command.ts';
import { countersignCommand } from './commands/countersign.command.ts';
import { diffCommand } from './commands/diff.command.ts';
import { doctorCommand } from './commands/doctor.command.ts';
import { explainCommand } from './commands/explain.command.ts';
import { initCommand } from './commands/init.command.ts';
import { keygenCommand } from './commands/keygen.command.ts';
import { mergeCommand } from './commands/merge.command.ts';
import { planCommand } from './commands/plan.command.ts';
import { registerCommand } from './commands/register.command.ts';
import { renderCommand } from './commands/render.command.ts';
import { replayCommand } from './commands/replay.command.ts';
import { spotCheckCommand } from './commands/spot-check.command.ts';
import { verifyCommand } from './commands/verify.command.ts';

/** The name of a command that neither a run nor a service has to wait for. */
export type OtherCommand =
  | 'merge'
  | 'render'
  | 'diff'
  | 'baseline'
  | 'replay'
  | 'doctor'
  | 'plan'
  | 'init'
  | 'checks'
  | 'explain'
  | 'challenge'
  | 'verify'
  | 'spot-check'
  | 'countersign'
  | 'register'
  | 'check-register'
  | 'keygen';

/** These commands by name. */
export const otherCommands: Readonly<Record<OtherCommand, CommandDefinition>> = {
  merge: mergeCommand,
  render: renderCommand,
  diff: diffCommand,
  baseline: baselineCommand,
  replay: replayCommand,
  doctor: doctorCommand,
  plan: planCommand,
  init: initCommand,
  checks: checksCommand,
  explain: explainCommand,
  challenge: challengeCommand,
  verify: verifyCommand,
  'spot-check': spotCheckCommand,
  countersign: countersignCommand,
  register: registerCommand,
  'check-register': checkRegisterCommand,
  keygen: keygenCommand,
};
