// The exports of the package; the only barrel, since a package has one entry.

export type { TestProgress } from '../cli/run-target.ts';
export type { Verification } from '../harness/engine/verify/verify-certificate.ts';
export type { EvidenceOutcome } from '../harness/evidence/evidence-writer.ts';
export type { Exchange } from '../harness/model/exchange.ts';
export type {
  Additional,
  AdditionalRequirement,
  CaseResult,
  Cause,
  CoverageEntry,
  Finding,
  Level,
  Outcome,
  Report,
  Summary,
  Traffic,
  Verdict,
} from '../harness/model/report.ts';
export { type ExitCode, exitCodeOf } from '../harness/results/exit-code.ts';
export { UsageError, type UsageProblem } from '../harness/usage-error.ts';
export type { RenderedFile } from '../reporters/formats.ts';
export { parseReport } from '../reporters/json/write-report.ts';
export { type ReportFormatName, renderReport } from './render-report.ts';
export { type ConformanceOptions, type ConformanceRun, runConformance } from './run-conformance.ts';
export type { ConformanceSettings, JsonValue, TargetDescription } from './target-description.ts';
export {
  type VerificationOptions,
  type VerifiedCertificate,
  verifyCertificate,
} from './verify-certificate.ts';
