import { expect, it } from 'vitest';
import { exampleExchange } from '../../checks/example-exchange.ts';
import type { Exchange } from '../../model/exchange.ts';
import { HeaderContrast } from './header-contrast.ts';

const page = 'text/html';

function miss(path: string, accept: string, language = 'en'): Exchange {
  return exampleExchange({
    status: 404,
    request: {
      path,
      headers: [
        ['accept', accept],
        ['accept-language', language],
      ],
    },
  });
}

/** The header that decides, where calls for a page are answered wrongly. */
function decisive(...calls: readonly Exchange[]): string | undefined {
  const contrast = new HeaderContrast();
  const isPage = (one: Exchange): boolean => one.request.headers[0]?.[1] === page;
  for (const one of calls) contrast.observe(one, !isPage(one));
  const wrong = calls.find(isPage);
  return wrong && contrast.decisiveFor(wrong);
}

const rights = [miss('/a', '*/*'), miss('/b', '*/*')];

it('names the header by whose values right and wrong responses differ', () => {
  expect(decisive(...rights, miss('/a', page, 'de'), miss('/b', page))).toBe('accept: text/html');
});

it.each([
  ['one call alone was answered wrongly, twice', [miss('/a', page), miss('/a', page)]],
  ['two headers differ', [miss('/a', page, 'fr'), miss('/b', page, 'fr')]],
])('names none where %s', (_why, wrong) => {
  expect(decisive(...rights, ...wrong)).toBeUndefined();
});

it('names none where a value led to both', () => {
  const contrast = new HeaderContrast();
  const calls = [...rights, miss('/a', page), miss('/b', page)];
  for (const [at, one] of [...calls, ...calls].entries()) contrast.observe(one, at !== 2 && at !== 3);
  expect(contrast.decisiveFor(miss('/a', page))).toBeUndefined();
});
