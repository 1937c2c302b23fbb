import { loadContract } from './contract.ts';

const { operations } = await loadContract();

/** The paths of the operations that tests use as examples. */
const paths = {
  bootstrap: 'bootstrap',
  products: 'catalog/products',
  product: 'catalog/products/{slug}',
  merchant: 'catalog/merchants/{slug}',
  merchantProducts: 'catalog/merchants/{slug}/products',
  merchantProduct: 'catalog/merchants/{merchantSlug}/products/{productSlug}',
  storeConfig: 'public/store-access/{store}/config',
  identity: 'open/identity',
  keyProducts: 'open/catalog/products',
  initiate: 'open/hosted/login/initiate',
  consume: 'open/hosted/login/return',
  create: 'open/hosted/checkout/sessions',
  read: 'open/hosted/checkout/sessions/{sessionId}',
  cancel: 'open/hosted/checkout/sessions/{sessionId}/cancel',
};

function idAt(path: string): string {
  const found = operations.find((operation) => operation.path === `/api/v1/${path}`);
  if (found === undefined) throw new Error(`the contract has no operation at ${path}`);
  return found.id;
}

/** The ids of these operations. */
export const ids: Readonly<Record<keyof typeof paths, string>> = Object.fromEntries(
  Object.entries(paths).map(([name, path]) => [name, idAt(path)]),
) as Record<keyof typeof paths, string>;
