import { measureMemory } from '../memory.ts';
import type { Section } from '../section.ts';

/** What a process holds on to in a long run. */
export const memoryHeld: Section = {
  name: 'memory',
  title: 'Memory, sockets and handles in a long run',
  method:
    'One process sends a million fuzz exchanges to the reference service in another process, and looks at itself after 10,000, ' +
    '100,000 and 1,000,000: the heap after a collection, what is resident, open file descriptors (sockets among them; where ' +
    'the system tells), and what keeps the event loop alive.',
  async measure({ concurrency }) {
    const footprints = await measureMemory(concurrency);
    const rows = footprints.map((one) => [
      one.exchanges.toLocaleString('en'),
      one.heapMb.toFixed(1),
      one.rssMb.toFixed(0),
      one.peakRssMb.toFixed(0),
      one.descriptors?.toString() ?? 'unknown',
      one.handles.toString(),
      one.seconds.toFixed(1),
    ]);
    return {
      head: [
        'exchanges',
        'heap after GC, MB',
        'RSS, MB',
        'peak RSS, MB',
        'descriptors',
        'handles',
        'seconds',
      ],
      rows,
    };
  },
};
