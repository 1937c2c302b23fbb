import { seededRandom } from '../../harness/seeded-random.ts';
import { readFlags } from '../read-flags.ts';
import { interruptibleCommands } from './commands.ts';
import { interruptAt } from './interrupt-at.ts';
import { prepareWorkplace } from './workplace.ts';

const { values } = readFlags({
  options: {
    count: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    /** One of the commands. */
    only: { type: 'string' },
  },
});

const workplace = await prepareWorkplace();
try {
  for (const command of interruptibleCommands) {
    if (values.only !== undefined && values.only !== command.name) continue;
    const random = seededRandom(Number(values.seed), 'interrupts', command.name);
    const wholeMs = await workplace.measure(command);
    let slowest = 0;
    let late = 0;
    let objections = 0;
    for (let count = 0; count < Number(values.count); count += 1) {
      const moment = random() * wholeMs;
      const kind = (['SIGINT', 'SIGTERM', 'SIGKILL', 'twice'] as const)[count % 4] ?? 'SIGINT';
      const outcome = await interruptAt(workplace, command, { moment, kind });
      if (outcome.tookMs === undefined) late += 1;
      else slowest = Math.max(slowest, outcome.tookMs);
      if (outcome.objections.length === 0) continue;
      objections += 1;
      process.stdout.write(`${command.name}, ${kind} after ${Math.round(moment)} ms\n`);
      for (const objection of outcome.objections) process.stdout.write(`    ${objection}\n`);
    }
    process.stdout.write(
      `${command.name}: ${values.count} moments of ${Math.round(wholeMs)} ms, ${objections} with objections; ended within ${Math.round(slowest)} ms of the signal, ${late} before it\n`,
    );
    if (objections > 0) process.exitCode = 1;
  }
} finally {
  await workplace.close();
}
