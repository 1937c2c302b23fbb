import type { Command } from 'commander';
import { escapeText } from '../../reporters/terminal/escape.ts';
import { loadCatalogue } from '../checks/catalogue.ts';
import { Run } from '../running/run.ts';
import { describeTarget } from './connection.ts';
import { refuseEmptyPlan, refuseUnmatchedGlobs } from './refuse-unmatched-globs.ts';
import type { SetExitCode } from './set-exit-code.ts';
import { addTargetFlags, readSettings, type TargetFlags } from './target-flags.ts';

/** `doctor`: the preflight alone, and what a run could not judge. */
export function addDoctorCommand(program: Command, setExitCode: SetExitCode): void {
  addTargetFlags(
    program
      .command('doctor')
      .description('try the target, the keys and the known values; say what a run would lack'),
  )
    .addHelpText('after', '\nExample:\n  commerce-conformance doctor --target target.yaml')
    .action(async (flags: TargetFlags) => {
      setExitCode(await doctor(flags));
    });
}

async function doctor(flags: TargetFlags): Promise<number> {
  const { contract } = await loadCatalogue();
  const settings = await readSettings(flags, contract);
  const { checks } = await loadCatalogue(settings.ownChecks);
  const run = await Run.open(settings);
  const say = (line: string): void => void process.stdout.write(`${run.redact(line)}\n`);
  try {
    refuseUnmatchedGlobs(settings.options, contract, checks);
    refuseEmptyPlan(run.plan);
    say(`Target      ${describeTarget(settings)}`);
    const { unreachable, accepts, discovered } = await run.preflight();
    if (unreachable !== undefined) {
      say(`Reachable   no: ${escapeText(unreachable)}`);
      return 3;
    }
    say(`Reachable   yes${run.protocol === 'HTTP/2' ? ', over HTTP/2' : ''}`);
    const { requests, byStatus } = run.traffic();
    if (byStatus['200'] === undefined) {
      say(
        `            but none of ${requests} requests was answered with 200: is the path before /api/v1 right?`,
      );
    }
    say(`Keys        scoped: ${describeKey(accepts.scoped)}`);
    say(`            unscoped: ${describeKey(accepts.unscoped)}`);
    for (const { operation, name, value, from } of discovered) {
      say(`Found       ${operation} ${name} = ${escapeText(value)} (in the answer of ${from})`);
    }
    const outlook = [...run.outlook().values()];
    const lacking = new Set(outlook.flatMap(({ cases }) => cases.map(({ id }) => id)));
    const total = run.plan.active.length;
    say(`Cases       ${total - lacking.size} of ${total} have all that they need`);
    if (outlook.length > 0) {
      say('\nAdd to the target file:');
      for (const { need, cases } of outlook.sort((a, b) => b.cases.length - a.cases.length)) {
        say(
          `  ${need.remedy}\n      decides ${cases.length === 1 ? '1 case' : `${cases.length} cases`}: ${need.reason}`,
        );
      }
    }
    return 0;
  } finally {
    await run.close();
    await settings.release();
  }
}

function describeKey(accepted: boolean | undefined): string {
  if (accepted === undefined) return 'not given';
  return accepted
    ? 'accepted'
    : 'refused everywhere: is it a good key, and is `authorization` how keys are written here?';
}
