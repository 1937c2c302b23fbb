import type { Report } from '../../harness/model/report.ts';

type ReportOperation = Report['operations'][number];

function named(id: string, path: string, method: string = 'GET'): ReportOperation {
  return { id, method, path: `/api/v1/${path}`, idIsOurs: false };
}

function unnamed(id: string, path: string): ReportOperation {
  return { id, method: 'GET', path: `/api/v1/${path}`, idIsOurs: true };
}

/** The 25 operations as a report lists them. */
export const sampleOperations: readonly ReportOperation[] = [
  unnamed('getPublicRuntimeConfig', 'runtime-config'),
  named('getPublicBootstrap', 'bootstrap'),
  unnamed('getPublicContact', 'public/contact'),
  unnamed('listPublicLegalDocuments', 'legal/documents'),
  unnamed('searchPublicProducts', 'search'),
  named('listPublicCategories', 'catalog/categories'),
  unnamed('listPublicProducts', 'catalog/products'),
  named('getPublicProduct', 'catalog/products/{slug}'),
  unnamed('getPublicMerchant', 'catalog/merchants/{slug}'),
  named('listPublicMerchantProducts', 'catalog/merchants/{slug}/products'),
  named('listPublicMerchantCategories', 'catalog/merchants/{slug}/categories'),
  named('getPublicMerchantProduct', 'catalog/merchants/{merchantSlug}/products/{productSlug}'),
  named('getPublicStorefrontDecoration', 'storefront-decorations/merchants/{slug}'),
  named('getPublicStoreSecurityConfig', 'public/store-access/{store}/config'),
  named('getInstallationCredentialIdentity', 'open/installation/identity'),
  named('getInstallationCredentialReadiness', 'open/installation/readiness'),
  named('initiateHostedLogin', 'open/hosted/login/initiate', 'POST'),
  named('consumeHostedLoginReturn', 'open/hosted/login/return', 'POST'),
  named('createHostedCheckoutSession', 'open/hosted/checkout/sessions', 'POST'),
  named('getHostedCheckoutSession', 'open/hosted/checkout/sessions/{sessionId}'),
  named('cancelHostedCheckoutSession', 'open/hosted/checkout/sessions/{sessionId}/cancel', 'POST'),
  named('getApiKeyIdentity', 'open/identity'),
  named('listApiKeyCatalogCategories', 'open/catalog/categories'),
  named('listApiKeyCatalogProducts', 'open/catalog/products'),
  named('getApiKeyCatalogProduct', 'open/catalog/products/{slug}'),
];
