import {
  type EvidenceLog,
  headOf,
  lineOf,
  originOf,
  tailOf,
} from '../../harness/evidence/evidence-format.ts';
import { parseEvidence } from '../../harness/evidence/read-evidence.ts';
import { mutateText } from './mutate-text.ts';
import { mutateValue } from './mutate-value.ts';
import { below, type Random } from './random-choice.ts';

/** Mutates the text of evidence.har: its characters, the JSON of a line, or the exchanges that it holds. */
export function mutateEvidence(text: string, random: Random): string | Buffer {
  switch (below(random, 5)) {
    case 0:
      return mutateText(text, random);
    case 1:
    case 2:
      return mutateLine(text, random);
    default:
      return mutateExchange(text, random) ?? mutateLine(text, random);
  }
}

function mutateLine(text: string, random: Random): string {
  const lines = text.split('\n');
  const at = below(random, Math.min(lines.length, 2 + below(random, lines.length)));
  const [, name = '', json = '', comma = ''] = /^("_run":)?(.*?)(,?)$/s.exec(lines[at] ?? '') ?? [];
  try {
    lines[at] = name + JSON.stringify(mutateValue(JSON.parse(json), random)) + comma;
  } catch {
    lines.splice(at, 1, ...(below(random, 2) === 0 ? [] : ['{}', lines[at] ?? '']));
  }
  return lines.join('\n');
}

/** Writes changed exchanges as the harness would; undefined where they cannot be written. */
function mutateExchange(text: string, random: Random): string | undefined {
  const { run, exchanges, attempts } = parseEvidence(text);
  const at = below(random, exchanges.length);
  try {
    const log: EvidenceLog = {
      run,
      exchanges: exchanges.with(at, mutateValue(exchanges[at], random) as (typeof exchanges)[number]),
      attempts:
        below(random, 4) === 0 ? (mutateValue(attempts, random) as EvidenceLog['attempts']) : attempts,
    };
    const origin = originOf(run);
    const lines = log.exchanges.map((exchange, index) => lineOf(exchange, origin, index === 0));
    return headOf(run) + lines.join('') + tailOf(log.attempts);
  } catch {
    return undefined;
  }
}
