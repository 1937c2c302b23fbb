import { expect, it } from 'vitest';
import { formats } from './formats.ts';
import { violatedCase } from './testing/sample-cases-for-tests.ts';
import { sampleReport } from './testing/sample-reports-for-tests.ts';

it.each(formats.filter(({ name }) => ['html', 'junit', 'markdown', 'allure'].includes(name)))(
  '$name replays a race, which no single call shows',
  async ({ load }) => {
    const race = { company: 'with 5 calls under way', reproduction: 'curl --one-call' };
    const report = sampleReport([violatedCase('listPublicContactChannels', 'a/b', {}, race)]);
    const render = await load();
    const text = render(report)
      .map((file) => file.text)
      .join('\n');
    expect(text).toMatch(/npx commerce-conformance replay \w+/);
    expect(text).not.toContain('curl --one-call');
  },
);
