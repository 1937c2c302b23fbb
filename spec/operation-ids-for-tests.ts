import { loadContract } from './contract.ts';

const { operations } = await loadContract();

function at(path: string): string {
  const found = operations.find((operation) => operation.path === `/api/v1/${path}`);
  if (found === undefined) throw new Error(`the contract has no operation at ${path}`);
  return found.id;
}

type ExampleName =
  | 'bootstrap'
  | 'products'
  | 'product'
  | 'merchant'
  | 'merchantProducts'
  | 'merchantProduct'
  | 'storeConfig'
  | 'identity'
  | 'keyProducts'
  | 'initiate'
  | 'consume'
  | 'create'
  | 'read'
  | 'cancel';

/** The operations that tests use as examples, found by their paths. */
export const ids: Readonly<Record<ExampleName, string>> = {
  bootstrap: at('bootstrap'),
  products: at('catalog/products'),
  product: at('catalog/products/{slug}'),
  merchant: at('catalog/merchants/{slug}'),
  merchantProducts: at('catalog/merchants/{slug}/products'),
  merchantProduct: at('catalog/merchants/{merchantSlug}/products/{productSlug}'),
  storeConfig: at('public/store-access/{store}/config'),
  identity: at('open/identity'),
  keyProducts: at('open/catalog/products'),
  initiate: at('open/hosted/login/initiate'),
  consume: at('open/hosted/login/return'),
  create: at('open/hosted/checkout/sessions'),
  read: at('open/hosted/checkout/sessions/{sessionId}'),
  cancel: at('open/hosted/checkout/sessions/{sessionId}/cancel'),
};
