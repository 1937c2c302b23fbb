import { hash } from 'node:crypto';
import { issueByRequest } from '../../fixtures/mutators/issue-by-request.ts';
import type { RunningService, ServiceOptions } from '../../fixtures/reference-service/start-service.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CaseResult } from '../../harness/model/report.ts';
import type { RunOptions } from '../../harness/model/run-options.ts';
import { evaluateService } from './evaluate-service.ts';

/** The requests of a run in an order that does not depend on time: by attempt, such as `getShop/auth/key/1`. */
export interface Trace {
  readonly requests: Readonly<Record<string, readonly string[]>>;
  readonly results: readonly CaseResult[];
}

/**
 * Runs the checks against a service that issues ids by the request, not by chance, so that two runs with one seed are
 * comparable. A line of the trace holds role, label, method, path, headers, connection and a digest of the body.
 */
export async function traceRequests(
  start: (options: ServiceOptions) => Promise<RunningService>,
  options: Partial<RunOptions>,
): Promise<Trace> {
  const service = await start({ alter: [issueByRequest] });
  const requests: Record<string, string[]> = {};
  const { port } = new URL(service.baseUrl);
  const observe = (exchange: Exchange): void => {
    const id = `${exchange.case.operation}/${exchange.case.check}/${exchange.attempt}`;
    requests[id] = [...(requests[id] ?? []), lineOf(exchange).replaceAll(port, '<port>')].sort();
  };
  try {
    const { results } = await evaluateService(service, { options, observe });
    return { requests, results };
  } finally {
    await service.close();
  }
}

function lineOf({ role, label, request }: Exchange): string {
  const { method, path, headers, connection, credential, body } = request;
  const sent = headers.filter(([name]) => !perRun.has(name.toLowerCase()));
  const digest = body === undefined ? 'no body' : hash('sha256', masked(body.text)).slice(0, 12);
  const parts = [`${role} ${label}: ${method} ${path}`, credential.description, connection, digest];
  return masked([...parts, ...sent.map((header) => header.join(': '))].join(' | '));
}

/** Without the values of `{unique}`, the ids that the service issues for requests with them, and the times of the run. */
function masked(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi, '<unique>')
    .replaceAll(/\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
}

/** Headers that differ between equal requests of two runs. */
const perRun: ReadonlySet<string> = new Set(['x-request-id', 'host', 'traceparent']);
