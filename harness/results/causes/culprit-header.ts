import { defined } from '../../defined.ts';
import { groupBy } from '../../group-by.ts';
import type { Exchange } from '../../model/exchange.ts';
import { answerText } from './answer-text.ts';
import { type Sighting, statusIn } from './sighting.ts';

/** A header that alone leads to an answer, and the finding that shows it alone. */
export interface Culprit {
  readonly header: string;
  readonly answer: string;
  readonly alone: Sighting;
  /** How to fix it, where the header tells. */
  readonly fix?: string;
}

const forPages =
  'Answer calls with an Origin or a Referer as those without. Leave out the CORS headers for a foreign origin instead of refusing the call, and switch off the protection of pages against forged requests for this interface (Sinatra: set :protection, except: %i[json_csrf http_origin]; Django: csrf_exempt; Spring: csrf().disable()).';
const fixes: ReadonlyMap<string, string> = new Map([
  ['origin 403', forPages],
  ['referer 403', forPages],
]);

/**
 * Headers that explain an error, by what came: some call that had no other unusual header got it, and so did no call without
 * the header. A run has no room to look for the header anew in each of hundreds of calls that carried it among others.
 */
export function culpritsOf(all: readonly Sighting[]): ReadonlyMap<string, Culprit> {
  const culprits = new Map<string, Culprit>();
  const refused = all.filter((one) => statusIn(one) >= 400);
  // A valid call tells it best.
  for (const [answer, alike] of groupBy(refused, ({ exchange }) => answerText(exchange)))
    for (const alone of [...alike].sort((a, b) => Number(isOfClients(b)) - Number(isOfClients(a)))) {
      const [header, ...others] = chosenHeaders(alone.exchange);
      if (header === undefined || others.length > 0 || culprits.has(answer)) continue;
      if (alike.every(({ exchange }) => chosenHeaders(exchange).includes(header)))
        culprits.set(answer, {
          ...{ header, answer, alone },
          ...defined({ fix: fixes.get(`${header} ${statusIn(alone)}`) }),
        });
    }
  return culprits;
}

/** The culprit of a finding; undefined where no header explains it. */
export function culpritOf(
  { exchange }: Sighting,
  culprits: ReadonlyMap<string, Culprit>,
): Culprit | undefined {
  return culprits.get(answerText(exchange));
}

function isOfClients({ requirement }: Sighting): boolean {
  return requirement === 'CLIENT-1';
}

/** The header of a factor that has another name. */
const headerOfFactor: ReadonlyMap<string, string> = new Map([['framing', 'transfer-encoding']]);

/** Headers that a call had for what it varies, or that rode along on it. */
function chosenHeaders({ row = {}, neutral = [], request }: Exchange): readonly string[] {
  const names = new Set([...Object.keys(row), ...neutral].map((name) => headerOfFactor.get(name) ?? name));
  return [...new Set(request.headers.map(([name]) => name))].filter((name) => names.has(name));
}
