import type { Operation } from '../../spec/operation.ts';
import type { DedicatedConnection } from '../http/http-client.ts';
import type { Exchange } from '../model/exchange.ts';
import { classify } from '../pacing/classify.ts';
import type { PacedResponse } from '../pacing/target-monitor.ts';
import type { Answered, CallSpec } from '../requests/call-spec.ts';
import type { PreparedCall } from '../requests/valid-values.ts';

/** A call on its way to the target. */
export interface Call {
  readonly operation: Operation;
  readonly spec: CallSpec;
  /** That of the call, until a stage changes to a fresh one. */
  readonly connection: CallSpec['connection'];
  /** The probe itself repeats what comes too early. */
  readonly isRepeated?: boolean;
  /** Values to send once more. */
  readonly again?: PreparedCall | undefined;
}

/** A call with its values put in. */
export interface ReadyCall extends Call {
  readonly prepared: PreparedCall;
}

/** A call that was answered. */
export interface Served extends Answered {
  readonly response: PacedResponse;
  readonly prepared: PreparedCall;
}

/** Sends a call; throws `InconclusiveError` where it cannot be sent or nothing can be concluded from it. */
export type Send<C extends Call = Call> = (call: C) => Promise<Served>;

/** A step on the way of a call: a function of the next one. */
export type Stage<In extends Call = Call, Out extends Call = In> = (next: Send<Out>) => Send<In>;

/** The end of the pipeline: what sends for one attempt, or stands for the target. */
export interface Transport {
  readonly send: Send<ReadyCall>;
  /** Opens a connection for consecutive calls; closed with the transport. */
  openConnection(): DedicatedConnection;
  close(): Promise<void>;
}

/** Joins stages, the outermost first. */
export function compose<C extends Call>(stages: ReadonlyArray<Stage<C>>): Stage<C> {
  return (transport) => stages.reduceRight((next, stage) => stage(next), transport);
}

/** The answer to a call, with what it means to the stages. */
export function servedBy(call: ReadyCall, exchange: Exchange, body: Answered['body']): Served {
  const { operation, spec, prepared, connection } = call;
  const response: PacedResponse = {
    meaning: classify(exchange, operation.role),
    status: exchange.response?.status,
    mayLackScope: operation.scope !== undefined && exchange.request.credential.kind === 'unscoped',
    isUnusual: isUnusual(spec),
    isKept: connection !== 'fresh',
  };
  return { exchange, body, prepared, response };
}

/** Whether a firewall may refuse the call for what it sends, because it is none that a client needs to send. */
function isUnusual({ role, rawParameters, body, headers, query }: CallSpec): boolean {
  const sent = [rawParameters, body, headers, query];
  return ['probe', 'reduction', 'preflight'].includes(role) && sent.some((part) => part !== undefined);
}
