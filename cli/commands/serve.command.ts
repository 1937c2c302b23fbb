import type { Command } from 'commander';
import { shapePresets } from '../../fixtures/reference-service/shape.ts';
import { numberFlag } from '../options/number-flag.ts';
import type { ServeFlags } from '../serve.ts';

/** `serve`: the reference service, or one of its faults, variants and shapes, until it is interrupted. */
export function addServeCommand(command: Command): void {
  command
    .option('--port <n>', 'port; a free one if left out', numberFlag('--port', { integer: true, least: 0 }))
    .option('--shape <name>', `another conforming shape: ${Object.keys(shapePresets).join(', ')}`)
    .option('--fault <name>', 'with one deliberate violation; `list` lists them')
    .option('--variant <name>', 'unusual but conforming; `list` lists them')
    .option(
      '--rate-limit <n>',
      'requests per second before it throttles',
      numberFlag('--rate-limit', { least: 0.1 }),
    )
    .option('--write-target <file>', 'write a matching target file, including keys')
    .option('--write-spec <file>', 'write its OpenAPI document, as a platform would publish it')
    .addHelpText(
      'after',
      `
Examples:
  npx commerce-conformance serve --port 8080 --write-target target.yaml
  npx commerce-conformance serve --fault list`,
    )
    .action(async (flags: ServeFlags) => {
      // All the faults and variants, which no other command has to wait for.
      const { serve } = await import('../serve.ts');
      await serve(flags);
    });
}
