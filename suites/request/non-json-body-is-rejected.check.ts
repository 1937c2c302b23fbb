import type { ActiveCheck } from '../../harness/checks/check.ts';
import { hasStatus, isBlockedInFront } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { malformedBodies, neverJson, plannedBodies } from './malformed-bodies.ts';
import { refusedBodies } from './refused-bodies.ts';

export const check: ActiveCheck = refusedBodies({
  requirement: 'REQUEST-2',
  title: 'a call whose body is not JSON gets 400',
  subject: 'A body that is not JSON',
  planned: plannedBodies,
  // A service may look at the state of a session before the body; but a cancelled one is no reason to accept any body.
  usedUp: { at: ({ role }) => role === 'ends-session', weight: 'medium' },
  bodiesFor: (client, valid) => {
    const withBody = client.operations.filter(({ requestSchema }) => requestSchema !== undefined);
    const nth = withBody.findIndex(({ id }) => id === client.caseOperation.id);
    return malformedBodies(valid?.request.body?.text, nth).filter(
      ({ id }) => id !== 'deep' || !client.excludes('deep-nesting', 'body'),
    );
  },
  clauseOf: (exchange) =>
    isRead(exchange) ? 'lenient-reader' : isBlockedInFront(exchange) ? 'blocked-in-front' : undefined,
  told: toldOf,
});

const ofForms = {
  headline: 'A form was accepted in place of JSON',
  fix: 'Read bodies only as JSON, and answer 400 to a form. Express: no `express.urlencoded()` on these routes; NestJS: `NestFactory.create(App, { bodyParser: false })` and `app.useBodyParser("json")`; hapi: `payload: { allow: "application/json" }`; Fiber: `c.Bind().JSON(…)` in place of `c.Bind().Body(…)`, and in version 2 `json.Unmarshal(c.Body(), …)` in place of `c.BodyParser`; Elysia: `{ parse: "json" }` on the route; Rails: `request.request_parameters` only where the media type is JSON; Sinatra: `request.body`, not `params`; Spring Boot: `@RequestBody` with `consumes = "application/json"`.',
};

const ofLeniency = {
  headline: 'A text that is not quite JSON was read as if it were JSON',
  fix: 'Make the JSON parser strict: it accepted a text that is not JSON, so there was no error to map to 400. Jackson: disable the features ALLOW_…, such as ALLOW_JAVA_COMMENTS, and enable DeserializationFeature.FAIL_ON_TRAILING_TOKENS; kotlinx.serialization: no `isLenient`, and another parser first: it reads 02 as 2 in strict mode as well, and skips the values of ignored members without a look; Gson: `setStrictness(Strictness.STRICT)`; Newtonsoft.Json: it has no strict mode, so use System.Text.Json; Ruby: json 2.17 or later, which refuses unknown escapes, and `allow_comments: false` where it knows that option; Node.js: JSON.parse, not JSON5; Python: json.loads with a `parse_constant` that raises; Go: after Decode, a second one must give io.EOF, as a Decoder stops behind the first value.',
};

/** Whether a lenient parser may have read the body: it then got a response that a valid body gets. */
function isRead(exchange: Exchange): boolean {
  const isNever = neverJson.has(String(exchange.row?.['body']));
  return !isNever && hasStatus(exchange, 200, 404, 409);
}

/** Headline and fix where a lenient reader took the body; undefined where none can have. */
function toldOf(exchange: Exchange): Pick<Violation, 'headline' | 'fix'> | undefined {
  if (!isRead(exchange)) return undefined;
  return exchange.row?.['body'] === 'form' ? ofForms : ofLeniency;
}
