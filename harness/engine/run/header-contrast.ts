import { keptAt } from '../../kept-at.ts';
import type { Exchange } from '../../model/exchange.ts';
import { clientHeaders } from '../../requests/client-headers.ts';

/** Values of a header that are told apart: one with more of them differs from call to call, whatever came. */
const mostValues = 40;

/** What calls with one value of a header got. */
interface Got {
  right: number;
  wrong: number;
}

/** What came with one status. */
interface Answers {
  readonly byHeader: Map<string, Map<string, Got>>;
  /** The first of the different calls that were answered wrongly. */
  readonly wrongCalls: Set<string>;
}

/** What calls sent, by status, and whether the response was right: where one header decides on that, it names the cause. */
export class HeaderContrast {
  readonly #byStatus = new Map<number, Answers>();

  observe(exchange: Exchange, isRight: boolean): void {
    const { byHeader, wrongCalls } = keptAt(
      this.#byStatus,
      statusOf(exchange),
      (): Answers => ({ byHeader: new Map(), wrongCalls: new Set() }),
    );
    if (!isRight && wrongCalls.size < 2) wrongCalls.add(`${exchange.label} ${exchange.request.path}`);
    const sent = new Map(exchange.request.headers);
    for (const name of Object.keys(clientHeaders)) {
      const byValue = keptAt(byHeader, name, () => new Map());
      if (byValue.size > mostValues) continue;
      const got = keptAt(byValue, sent.get(name) ?? '', () => ({ right: 0, wrong: 0 }));
      got[isRight ? 'right' : 'wrong'] += 1;
    }
  }

  /** The header that decides, with the value of the wrong response; undefined where none does, or several do, or one call alone. */
  decisiveFor(exchange: Exchange): string | undefined {
    const { byHeader = [], wrongCalls = new Set() } = this.#byStatus.get(statusOf(exchange)) ?? {};
    const deciding = [...byHeader].filter(([, byValue]) => decides([...byValue.values()]));
    const [name = ''] = deciding[0] ?? [];
    const value = exchange.request.headers.find(([sent]) => sent === name)?.[1];
    const isOne = deciding.length === 1 && wrongCalls.size > 1;
    return isOne && value !== undefined ? `${name}: ${value}` : undefined;
  }
}

function statusOf({ response }: Exchange): number {
  return response?.status ?? 0;
}

/** Whether each value led to right or to wrong responses alone, and each of these came more than once with a value. */
function decides(values: readonly Got[]): boolean {
  const isRepeated = (kind: keyof Got): boolean => values.some((one) => one[kind] > 1);
  return (
    values.length <= mostValues &&
    values.every(({ right, wrong }) => right === 0 || wrong === 0) &&
    isRepeated('right') &&
    isRepeated('wrong')
  );
}
