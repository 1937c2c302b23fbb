import { stringify } from 'yaml';

/** The commented target file that `init` writes; lines that start with `#` and a name are options to uncomment. */
export function targetTemplate(options: { baseUrl?: string } = {}): string {
  const baseUrl = (options.baseUrl ?? 'https://staging.example.com').replaceAll('${', '$${');
  return `# The service under test. Only baseUrl is needed; what is missing is discovered where that is safe,
# else the checks that need it are inconclusive and say which line would decide them.
# \${NAME} reads the environment. See: commerce-conformance doctor --target <this file>

# Everything in front of /api/v1; a path prefix is kept.
${stringify({ baseUrl }, { lineWidth: 0 }).trimEnd()}

# API keys, read from the environment so that none stands in this file. Remove the line of a key that you do not have.
keys:
  # Holds the scope catalog:read; all operations that need a key are called with it.
  scoped: \${COMMERCE_KEY}
  # Valid, but without catalog:read; with it the checks see that the scope is asked for.
  unscoped: \${COMMERCE_KEY_UNSCOPED}

# How a key is written in the Authorization header; without this line it stands there bare.
#authorization: 'Bearer {key}'

# Sent with every request, for a gateway in front of the service.
#headers:
#  x-gateway-token: \${GATEWAY_TOKEN}

# Values that exist on the service, as text; slugs are otherwise taken from the listings.
#parameters:
#  slug: linen-shirt
#  merchantSlug: atelier-nord
#  productSlug: linen-shirt
#  store: atelier-nord
  # For one operation only, where the same name means something else.
#  listPublicMerchantProducts: { slug: atelier-nord }

# Valid request bodies; without them the hosted operations cannot be judged, as the contract does not show their fields.
# {name} is a captured value (below), {unique} a value fresh for each use.
#bodies:
#  createHostedCheckoutSession: { merchant: atelier-nord, reference: 'check-{unique}' }
#  cancelHostedCheckoutSession: { reason: conformance }
#  initiateHostedLogin: { merchant: atelier-nord }
#  consumeHostedLoginReturn: { state: '{loginState}', code: test-code }

# Where an answer holds a value that a later call needs, as a JSON Pointer into its body.
#captures:
#  sessionId: /data/sessionId
#  loginState: { from: initiateHostedLogin, pointer: /state }

# Values that fuzzing leaves out; the reason is printed in the report.
#exclude:
#  - { class: very-long, parameter: slug, reason: the gateway cuts long paths }

# Flags of run, in camelCase; the command line wins.
#options:
  # The platform's own OpenAPI document makes the checks of bodies exact.
#  spec: openapi.yaml
  # The authority of its certificate, and a certificate to show it (PEM files).
#  ca: ca.pem
#  clientCert: client.pem
#  clientKey: client.key
  # A socket that it listens on; requests name the host of baseUrl all the same.
#  unixSocket: /run/service.sock
  # The most requests per second.
#  rate: 25
  # Sends no POST.
#  readOnly: true
`;
}
