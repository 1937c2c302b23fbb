import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import type { TargetAddresses } from './target-addresses.ts';

/** Both targets in a process of their own, so that they do not share a core with what is measured. */
const answer = Buffer.from(JSON.stringify({ id: 'p_1042', name: 'Linen shirt', price: { amount: 4900 } }));

const plain = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
  response.end(answer);
});
await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
const service = await startService();
const addresses: TargetAddresses = {
  service: service.target,
  plain: `http://127.0.0.1:${(plain.address() as AddressInfo).port}`,
};
process.send?.(addresses);
process.on('disconnect', () => process.exit());
