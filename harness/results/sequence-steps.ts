import type { Exchange } from '../model/exchange.ts';

const mostSteps = 12;

/**
 * The exchanges that lead to one which used a value of an earlier response, such as the id of a session: the exchange that
 * issued the value and all that used it. Empty where the exchange stands alone.
 */
export function sequenceSteps(exchange: Exchange, exchanges: readonly Exchange[]): readonly Exchange[] {
  const captured = Object.values(exchange.request.values).filter(({ source }) => source === 'captured');
  const end = exchanges.findIndex(({ id }) => id === exchange.id);
  if (captured.length === 0 || end === -1) return [];
  const isPart = (one: Exchange): boolean =>
    captured.some(
      ({ value }) =>
        Object.values(one.request.values).some((used) => used.value === value) ||
        one.response?.body.text.includes(value) === true,
    );
  const steps = exchanges
    .slice(0, end + 1)
    .filter((one) => one.role !== 'provocation' && one.role !== 'reduction' && isPart(one));
  // The first issued the value; the last ones show the violation.
  const shown = steps.length > mostSteps ? [...steps.slice(0, 1), ...steps.slice(1 - mostSteps)] : steps;
  return shown.length > 1 ? shown : [];
}
