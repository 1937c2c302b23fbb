import { Contract, type Operation } from '../../spec/contract.ts';

/** A part of the contract, enough for what a target file can name. */
export const contractForTests: Contract = new Contract({
  digest: `sha256:${'0'.repeat(64)}`,
  operations: [
    operation('getPublicBootstrap', 'GET', '/api/v1/bootstrap'),
    operation('getPublicProduct', 'GET', '/api/v1/catalog/products/{slug}'),
    operation(
      'getPublicMerchantProduct',
      'GET',
      '/api/v1/catalog/merchants/{merchantSlug}/products/{productSlug}',
    ),
    operation('listPublicMerchantProducts', 'GET', '/api/v1/catalog/merchants/{slug}/products'),
    operation('getPublicStoreSecurityConfig', 'GET', '/api/v1/public/store-access/{store}/config'),
    operation('initiateHostedLogin', 'POST', '/api/v1/open/hosted/login/initiate'),
    operation('consumeHostedLoginReturn', 'POST', '/api/v1/open/hosted/login/return'),
    operation('createHostedCheckoutSession', 'POST', '/api/v1/open/hosted/checkout/sessions'),
    operation('getHostedCheckoutSession', 'GET', '/api/v1/open/hosted/checkout/sessions/{sessionId}'),
    operation(
      'cancelHostedCheckoutSession',
      'POST',
      '/api/v1/open/hosted/checkout/sessions/{sessionId}/cancel',
    ),
  ],
});

function operation(id: string, method: 'GET' | 'POST', path: string): Operation {
  return {
    id,
    idIsOurs: false,
    method,
    path,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''),
    group: 'hosted',
    auth: 'api-key',
    statuses: [200, 400, 401, 403, 404, 409, 429],
    ...(method === 'POST' ? { requestSchema: 'AnyRequest' } : {}),
  };
}
