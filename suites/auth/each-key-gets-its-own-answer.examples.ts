import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

type Key = 'scoped' | 'unscoped';

/** The calls of both rounds; `shows` gives the body by key, URL and number of the call. */
function calls(shows: (key: Key, url: string, number: number) => object, rounds = 2): readonly Exchange[] {
  const orders = [
    ['scoped 1', 'unscoped 2', 'unscoped 3', 'scoped 4', 'unscoped 1', 'scoped 2'],
    ['unscoped 5', 'scoped 6', 'scoped 7', 'unscoped 8', 'scoped 5', 'unscoped 6'],
  ].slice(0, rounds);
  return orders.flat().map((turn, number) => {
    const [key, url] = turn.split(' ') as [Key, string];
    const step = number % 6 < 4 ? 'asFirst' : 'asSecond';
    const request = { path: `/identity?_=${url}` };
    return example(`${step} 200 ${key}`, { json: shows(key, url, number), request });
  });
}

const scopedFirst = ['1', '4', '6', '7'];
const firstAt = (url: string): Key => (scopedFirst.includes(url) ? 'scoped' : 'unscoped');

const ofKey = calls((key) => ({ id: key }), 1);
const sent = (step: string, id: string): Exchange =>
  example(`${step} 200`, { json: { id }, credential: 'scoped' });

export const examples: Examples = {
  operation: exampleOperation({ role: 'identifies-key' }),
  passes: {
    'an id that is another one a moment later, whatever the query': [
      ...ofKey,
      sent('otherIds', '1'),
      sent('ownIds', '2'),
    ],
    'the name of one of two servers, which each key met by chance': [
      ...ofKey,
      sent('atOnce', 'unscoped'),
      sent('inTurn', 'unscoped'),
    ],
    'each key gets its own at every URL': calls((key) => ({ id: key }), 1),
    'both keys have one identity': calls(() => ({ id: 'installation' }), 1),
    'a response that is the same for all is kept by its URL, with the time of the first call': calls(
      (_key, url) => ({ ready: true, checkedAt: url }),
    ),
    'replicas take turns, and name themselves': calls((_key, _url, number) => ({
      ready: true,
      node: number % 2,
    })),
    'the URL is repeated': calls((key, url) => ({ id: key, self: `/identity?_=${url}` })),
  },
  violates: {
    'the id that the query names': [...ofKey, sent('otherIds', '1'), sent('ownIds', 'scoped')],
    'what the other key gets, with calls of both under way': [
      ...ofKey,
      sent('atOnce', 'unscoped'),
      sent('inTurn', 'scoped'),
    ],
    'a cache by URL': calls((_key, url) => ({ id: firstAt(url) })),
    'a cache by URL that keeps what the key with the scope gets': calls((key, url) => ({
      id: firstAt(url) === 'scoped' ? 'scoped' : key,
    })),
  },
  inconclusive: { 'nothing was sent': [], 'a call failed': [...ofKey.slice(1), 'asFirst 503'] },
  notApplicable: { 'every query is refused': ['asFirst 400', 'asFirst 400', 'asSecond 400'] },
};
