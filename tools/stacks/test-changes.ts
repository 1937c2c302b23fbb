import { rm } from 'node:fs/promises';
import type { Report } from '../../harness/model/report.ts';
import { type Change, changedCopy } from './changes.ts';
import { fronts } from './fronts.ts';
import type { Service } from './services.ts';
import { testStack } from './test-stack.ts';

/** What a run said of one changed service. */
export interface ChangeResult {
  readonly change: Change;
  /** Where the report names the place of the change: `caught` as a violated `must`, `warned` as a `should`, or not at all. */
  readonly found: 'caught' | 'warned' | 'missed';
  readonly report: Report;
}

/** Starts a copy of the service with the change, and runs the harness against it. */
export async function testChange(
  service: Service,
  change: Change,
  options: {
    readonly seed: number;
    readonly program?: string;
    readonly reportFolder?: string;
    readonly args: readonly string[];
  },
): Promise<ChangeResult> {
  const folder = await changedCopy(service, change);
  const front = fronts.find(({ name }) => name === change.front);
  try {
    const report = await testStack({
      ...options,
      service,
      folder,
      ...(front === undefined ? {} : { front: { front, setting: 'recommended' } }),
    });
    return { change, found: foundIn(report, change), report };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A harmless change is found wherever anything is reported. */
function foundIn({ rootCauses = [] }: Report, { kind, shownAt }: Change): ChangeResult['found'] {
  const levels = rootCauses
    .filter(({ operations }) => kind === 'harmless' || operations.some((id) => shownAt.includes(id)))
    .map(({ level }) => level);
  if (levels.includes('must')) return 'caught';
  return levels.length > 0 ? 'warned' : 'missed';
}
