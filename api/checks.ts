// The imports of custom checks; a separate entry, since every thread of a run that loads custom checks loads it.

export type { CaseClient } from '../harness/calls/case-client.ts';
export type {
  ActiveCheck,
  Check,
  CollectiveCheck,
  Evidence,
  Example,
  Need,
  PassiveCheck,
  PassiveEvidence,
} from '../harness/checks/check.ts';
export type { CustomCheck, OwnRequirement } from '../harness/checks/custom-check.ts';
export {
  type ExampleParts,
  exampleExchange,
  exampleOperation,
} from '../harness/checks/example-exchange.ts';
export { inconclusive, pass, violatedOr } from '../harness/checks/outcomes.ts';
export { describeAnswer, headerOf, parseBody, statusOf } from '../harness/evidence/answer.ts';
export type { Evaluation, ExchangeEvaluation, Violation } from '../harness/model/evaluation.ts';
export type { Exchange } from '../harness/model/exchange.ts';
export type { Operation } from '../spec/contract.ts';
