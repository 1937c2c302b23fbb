import { conformance } from './vitest.ts';

// `vitest --project conformance`: against the target file or the base URL of the environment, else the embedded service.
const { CONFORMANCE_TARGET: target, CONFORMANCE_BASE_URL: baseUrl } = process.env;
await conformance({ ...(target && { target }), ...(baseUrl && { baseUrl }) });
