import { startService } from '../../fixtures/reference-service/start-service.ts';

/** Serves until the benchmark disconnects. */
const service = await startService();
process.send?.(service.target);
process.on('disconnect', () => process.exit());
