// What checks of one's own are written with; apart from the rest, for every thread of a run that loads them loads this.
export type { Caller } from '../harness/requests/case-client.ts';
export type {
  ActiveCheck,
  Check,
  CollectiveCheck,
  Evidence,
  Example,
  Need,
  PassiveCheck,
  PassiveEvidence,
} from '../harness/model/check.ts';
export {
  type ExampleParts,
  exampleExchange,
  exampleOperation,
} from '../harness/checks/example-exchange.ts';
export {
  type ExchangeJudgement,
  inconclusive,
  type Judgement,
  pass,
  type Violation,
  violatedOr,
} from '../harness/model/evaluation.ts';
export type { OwnCheck, OwnRequirement } from '../harness/checks/custom-check.ts';
export { describeAnswer, headerOf, parseBody, statusOf } from '../harness/evidence/answer.ts';
export type { Exchange } from '../harness/model/exchange.ts';
export type { Operation } from '../spec/contract.ts';
