import { type Examples, example } from '../examples-for-tests.ts';

const answered = example('valid 200', { role: 'control' });
const [hanging, hangingAgain] = ['1', '2'].map((id) => ({
  ...example('valid reset', { role: 'control' }),
  id,
  failure: { kind: 'timeout', message: 'no answer within 10 s' } as const,
}));

export const examples: Examples = {
  passes: { 'one without an answer': [answered, hanging].flatMap((one) => one ?? []) },
  violates: { 'two without an answer': [answered, hanging, hangingAgain].flatMap((one) => one ?? []) },
  notApplicable: { 'none with an answer': [hanging, hangingAgain].flatMap((one) => one ?? []) },
};
