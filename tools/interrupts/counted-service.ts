import type { Alteration, ServiceParts } from '../../fixtures/reference-service/service-parts.ts';
import { type RunningService, startService } from '../../fixtures/reference-service/start-service.ts';

/** The reference service, whose open sessions are counted. */
export interface CountedService extends Pick<RunningService, 'target' | 'close'> {
  readonly openSessions: () => number;
  /** Counts from nothing again. */
  readonly forget: () => void;
}

/** Starts the reference service, with an alteration or without. */
export async function startCountedService(alter: Alteration = () => undefined): Promise<CountedService> {
  let parts: ServiceParts | undefined;
  const service = await startService({
    alter: [
      (made) => {
        parts = made;
      },
      alter,
    ],
  });
  const byId = parts?.sessions.byId;
  if (byId === undefined) throw new Error('the service has no sessions');
  return {
    target: service.target,
    close: () => service.close(),
    openSessions: () => [...byId.values()].filter(({ status }) => status === 'open').length,
    forget: () => byId.clear(),
  };
}
