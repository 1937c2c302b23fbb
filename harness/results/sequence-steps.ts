import type { Exchange } from '../model/exchange.ts';

const mostSteps = 12;
// A shorter value can stand in a response by chance.
const shortestIssued = 4;

/**
 * The exchanges that lead to one which used a value of an earlier response, such as the id of a session: the exchange that
 * issued the value and all that used it. Empty where the exchange stands alone.
 */
export function sequenceSteps(exchange: Exchange, exchanges: readonly Exchange[]): readonly Exchange[] {
  const end = exchanges.findIndex(({ id }) => id === exchange.id);
  const before = exchanges.slice(0, Math.max(0, end));
  const issued = Object.values(exchange.request.values)
    .filter(({ source }) => source === 'captured' || source === 'generated')
    .map(({ value }) => value)
    .filter((value) => value.length >= shortestIssued && before.some((one) => issues(one, value)));
  if (issued.length === 0) return [];
  const steps = [...before, exchange].filter(
    (one) => one.role !== 'provocation' && issued.some((value) => issues(one, value) || uses(one, value)),
  );
  // The first issued the value; the last ones show the violation.
  const shown = steps.length > mostSteps ? [...steps.slice(0, 1), ...steps.slice(1 - mostSteps)] : steps;
  return shown.length > 1 ? shown : [];
}

function uses({ request }: Exchange, value: string): boolean {
  return Object.values(request.values).some((used) => used.value === value);
}

function issues(exchange: Exchange, value: string): boolean {
  const { response } = exchange;
  return response?.status === 200 && !uses(exchange, value) && response.body.text.includes(value);
}
