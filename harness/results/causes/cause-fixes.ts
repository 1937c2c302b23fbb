/** The fix for findings of one kind of cause, regardless of the violated requirement. */
export interface CauseFix {
  /** `{id}` stands for where to look in the log, `{what}` for what was sent, `{method}` for its method, `{issued}` for the call that issued what it uses and when, `{words}` for the service's own, `{company}` for its company, `{who}` for who answered, `{times}` for how often it was seen. */
  readonly fix: string;
  /** Where to do that in frameworks that the table of responders knows, by their names. */
  readonly where?: Readonly<Record<string, string>>;
  /** One place decides all responses of this kind: they are one root cause, regardless of the violated requirements. `{riders}` stands for the riders. */
  readonly place?: string;
  /** True if the place is another one where the operation also fails so, with the same requirement, at calls without this cause. */
  readonly isOfThisAlone?: true;
  /** True if it is about the contents of a response, regardless of the request. */
  readonly ofContents?: true;
}

/**
 * Fixes by patterns of findings, the more specific first; a text alone is a fix. No pattern may be a plain number:
 * objects list those before all others.
 */
type Fixes = Readonly<Record<string, string | CauseFix>>;

/**
 * The fixes for responses whose bytes are wrong, regardless of the request and of what they say: a body ends where a Content-Length
 * that may count characters says so, or earlier, or with the response; it holds two documents, or text beside one; or its bytes
 * are compressed still, or no UTF-8.
 */
export const byteFixes = {
  characters: {
    headline: 'JSON with characters outside ASCII is cut off where its Content-Length ends',
    fix: 'Count the bytes of the body for Content-Length, not its characters: a character outside ASCII takes two to four bytes. Node.js: Buffer.byteLength(text); Python: len(text.encode()); Java: getBytes(UTF_8).length; or leave the header to the framework. If plain ASCII JSON is cut off as well, look for a buffer that is too small instead.',
  },
  other: {
    headline: 'JSON is cut off before its end',
    fix: 'Send the whole body, with the length that Content-Length states. Look for a buffer limit, a stream that ends early, an exception while the response is written, or a proxy that truncates.',
  },
  twice: {
    headline: 'A body holds two JSON documents, one after the other',
    fix: 'Return after writing a response: the handler writes an error, continues, and writes a second body. Go: a return after the call that writes the error; Express: `return response.status(…)`; in a middleware, do not call the next one.',
  },
  'text beside': {
    headline: 'Text stands before or behind the JSON of a body',
    fix: 'Write nothing to the response beside its JSON: no warning, debug output or blank page part. PHP: `display_errors = Off` with `log_errors = On`, no `echo` or `var_dump`, and fix what the warning is about; a template or a CGI program: print to the log.',
  },
  compressed: {
    headline: 'A body is compressed with gzip beyond what its Content-Encoding says',
    fix: 'Compress each response once, in one place: after decoding by its Content-Encoding, the body is still gzip (it begins with the bytes 1f 8b). Look for two layers that both compress, such as the application and the proxy in front, or for one that removes or omits Content-Encoding. Only clients that accept gzip, or only large bodies, may be affected.',
  },
  charset: {
    headline: 'JSON with characters outside ASCII is not in UTF-8',
    fix: 'Write JSON in UTF-8, whatever the platform default: the body is not valid UTF-8; it may be ISO-8859-1. Only texts with characters outside ASCII show this, such as a value of the request that an error repeats. Servlets: setCharacterEncoding("UTF-8") before getWriter(), whose default is ISO-8859-1; Java: getBytes(UTF_8); Python: text.encode(); PHP: check the charset of the database and its connection.',
  },
  broken: {
    headline: 'Responses break off after their head',
    fix: 'Send as many bytes as Content-Length says, or leave that header to the framework. It counts bytes, not characters: Node.js: Buffer.byteLength(text); Python: len(text.encode()); Java: getBytes(UTF_8).length. If the length is right, look in the logs of the service and its server for an exception while a body is written.',
  },
  'broken compressed': {
    headline: 'Compressed responses break off after their head',
    fix: 'Compute Content-Length after compression, or leave the header out: a layer behind the one that sets it may compress the body (PHP: zlib.output_compression or ob_gzhandler below a framework that sets Content-Length; a middleware that compresses after one that counts). If the length is right, look in the logs of the service and its server for an exception while a body is written.',
  },
} as const;

/** The fix for ids that concurrent creates share. */
export const idInOneStep =
  'Generate the id in the step that writes the row: a random id, or one that the database assigns. If the id is counted or read before that, concurrent creates get the same id: the last one overwrites the others, or all but the first violate the unique key. Answer with the row that the call wrote, not with the newest one.';

/** The kind of findings about a call that gives a key a scope. */
export const grantedKind = 'granted by a call';

/** The kind of a violation by a refusal that shows what it refuses. */
export const shownKind = 'shown with a refusal';

/** The deviation of a response that shows another resource than the one that was asked for. */
export const anotherResource = 'another resource';

/** The deviation of a create that returns a session that another one made. */
export const sharedSession = 'shared session';

/** The deviation of a valid call that was refused, and answered as usual before and after. */
export const forAWhile = 'for a while';

/** The deviation of a valid call that a page under 403 answers now and then, whatever the pace. */
export const pageByTurns = 'page by turns';

/** The deviation of an issued value that some calls find and others do not. */
export const foundAtTimes = 'found at times';

/** The deviation of a wrong value that gets the resource of a right one at some moments. */
export const mixedUpLookups = 'mixed-up lookups';

/** The fix for a key that one operation refuses and others accept. */
export const ofOneRoute =
  'Other operations accept the same key, so compare this route with theirs. Look for a proxy location that does not pass on Authorization (nginx: its own `proxy_set_header` lines replace all of those above them), or a separate guard that looks for the key elsewhere.';

/** The fix for a proxy that gets no response. */
export const noResponse =
  'Search the logs of the proxy and of the service behind it. 504: the service took longer than the time-out of the proxy (HAProxy: `timeout server`; nginx: `proxy_read_timeout`; Apache: `ProxyTimeout`), so find out what is slow, or raise it. 502: the service died, closed the connection (an idle one, if its keep-alive time is shorter than that of the proxy; or one whose body it had not read: let it read the body before it refuses a call, or keep its connections, nginx: `proxy_http_version 1.1;` and `proxy_set_header Connection "";`), or is not there. A page in JSON does not help: neither status is declared.';

/** The fix for valid calls that are refused for the scope while calls without it are accepted. */
export const scopeOfRequest =
  'Keep the current key with its request: a key without the scope is accepted, and at times a key with the scope is refused with 403. Look for a shared variable that authentication sets, such as one of a module, a class or a singleton, for a reused object that keeps what the last call put in (Go: sync.Pool; thread locals), or for scopes that are cached by something other than the key.';

const noState =
  'Keep no state of a request after its response: not with the connection, the thread or the process, and no key in a shared variable. Alone, the same call gets the right response; it failed {company}.';

/** The fix if a stored response may have been served before the key was checked. */
const checkBeforeStores =
  'If the same call is refused under a fresh URL, such as one with a new query, a cache or another store of answers comes before the check of the key: check the key first, and make it part of what answers are kept under.';

/** The fix for a refusal because of the page from which a call comes. */
const foreignOrigin =
  'Treat calls with an Origin, a Referer or Sec-Fetch headers like those without. For a foreign origin, omit the CORS headers instead of refusing the call, and switch off CSRF protection for this interface (Sinatra: set :protection, except: %i[json_csrf http_origin]; Django: csrf_exempt; Spring: csrf().disable(); Micronaut on localhost: micronaut.server.cors.localhost-pass-through).';

/** The fix for a valid call that, among concurrent calls, gets a response for another key. */
const keyOfRequest: CauseFix = {
  fix: 'Keep the current key with its request: alone, the call gets the right response; beside calls with other keys, it gets that of another key. Look for a shared variable that authentication sets, such as one of a module, a class or a singleton, and read the key from the request instead. Look for an answer that was kept, too, as under the account or the URL: the same calls one soon after the other show it. Keep answers under the key, and merge concurrent calls by key as well.',
  where: {
    'Django REST framework': '`request.user` and `request.auth`, or a ContextVar',
    'Go net/http': '`r.Context()`',
    Javalin: '`ctx.attribute(…)`',
    NestJS: 'the request, a provider with `Scope.REQUEST`, or AsyncLocalStorage',
    'Spring Boot':
      'SecurityContextHolder, not a field of a singleton; in WebFlux `ReactiveSecurityContextHolder`, as threads change',
  },
};

/** The fix for two calls on a session, one of which makes the other fail. */
const atOnceOnSession =
  'When two calls on one session arrive at once, let one wait for the other, or answer 409: the call failed only while another call on the session was under way. Search the service log{id} for a lock without a wait (NOWAIT, a busy timeout of zero), a deadlock, or a transaction or version conflict that the service should retry.';

/** The fix for a 406, in any company. */
const negotiation: CauseFix = {
  fix: 'Answer JSON whatever Accept says: switch off content negotiation.',
  place: 'content negotiation',
  where: {
    'Django REST framework': 'a DEFAULT_CONTENT_NEGOTIATION_CLASS that returns the first renderer',
    'Spring Boot':
      '`ignoreAcceptHeader(true)` of the ContentNegotiationConfigurer; in WebFlux `fixedResolver` of the RequestedContentTypeResolverBuilder',
    Rails:
      '`defaults: { format: :json }` on the routes; for a Content-Type that is none, `rescue_responses["ActionDispatch::Http::MimeNegotiation::InvalidType"] = :bad_request`',
  },
};

/** The fix for a 304 to a call that must be refused, in any company. */
const conditionBeforeKey: CauseFix = {
  fix: 'Check the key before anything answers a conditional request. A filter, a middleware or a cache in front of the guard compares the ETag first, and answers 304 whatever the key: move it behind the guard.',
  place: 'conditional requests',
};

/** The fix for a compressed response that some calls get that accept none. */
const codingFromCache: CauseFix = {
  fix: 'Make Accept-Encoding part of the key of the cache, or keep responses before they are compressed: a cache in the service or in front of it gives the compressed response to one client to others that accept no compression. A Vary header helps only where the cache reads it. The same call under a fresh URL is answered as it should be.',
  place: 'compression',
};

/** By the kind of finding, regardless of the company of its call. */
export const fixes: Fixes = {
  // The error body to a body that the service refused differs from the others.
  'ERROR-2 400 body|media-type|malformed-body|missing-body|client|fields-in-the-query|chunked-body|body-without-chunks':
    {
      ofContents: true,
      fix: 'Send every error through one writer, including those of the body parser and validator: the 400 for a body differs in shape from the other errors of the service.',
      where: {
        'Django REST framework': 'wrap the data of ValidationError in the EXCEPTION_HANDLER too',
        FastAPI: 'an `exception_handler(RequestValidationError)`',
        NestJS: 'an `exceptionFactory` of the ValidationPipe, or a filter that renders BadRequestException',
        'Spring Boot':
          'an `@ExceptionHandler` for MethodArgumentNotValidException and HttpMessageNotReadableException',
        Express: 'no `response.json(errors)` in a validator: call `next(error)`',
      },
    },
  'ERROR-1 with-a-header': {
    ofContents: true,
    fix: 'Write every error as JSON, whatever the client sends: {company}, an error has another body, and otherwise the right one. Look for an error page that a framework writes for browsers, and switch it off for this interface.',
    where: {
      'Spring Boot':
        'an ErrorController, or `@RestControllerAdvice`, in place of the page of BasicErrorController; in WebFlux an ErrorWebExceptionHandler in place of the DefaultErrorWebExceptionHandler',
      Express: 'no `response.format` in the error handler',
      Laravel: '`shouldRenderJsonWhen(fn () => true)` of the exceptions',
      Rails: 'ActionController::API, and `exceptions_app` with JSON alone',
      Quarkus: 'an `ExceptionMapper<NotFoundException>`',
    },
  },
  'of-keys 304': conditionBeforeKey,
  'valid-call 401|403 says-locked-out':
    'Do not refuse a valid key because other calls failed: by its own words, the service locks clients out after failed attempts. Count failures by key, not by address, and answer 429 if a client is too fast.',
  '304 sends-condition':
    'Answer 304 only if If-None-Match holds the current ETag of the response, or, without that header, if the response has not changed since If-Modified-Since. Otherwise answer 200 with the body. Compare values: that the header was sent says nothing.',
  'other-coding after-a-call': codingFromCache,
  'other-coding !steady': codingFromCache,
  'other-coding': {
    fix: 'Compress a response only in a coding that Accept-Encoding allows, and never if the header is absent or allows only identity. Look for a Content-Encoding or a compressed file that every client gets, and for a cache without Vary: Accept-Encoding.',
    place: 'compression',
    where: { nginx: '`gzip_static on`, not `always`, and `gunzip on`', Apache: 'no `SetEnv force-gzip`' },
  },
  'json-as-other-type': {
    fix: 'Set Content-Type: application/json before the status line is written, in the error writer too: the body is JSON under another media type, or under none. Go: Header().Set before WriteHeader; Gin: `ShouldBindJSON`, as `BindJSON` writes a 400 of its own.',
    place: 'media type of responses',
    ofContents: true,
  },
  '400|403|419 says-csrf':
    'Do not require a CSRF token if a key authenticates the call (Django: csrf_exempt, or a view of Django REST framework; Rails: ActionController::API; Laravel: routes/api.php; Spring: csrf().disable() for these routes).',
  '500 by-front':
    '{who} wrote this error page itself: search its error log{id} for what fails there, such as a module that reads bodies (ModSecurity). If it replaces the errors of the service (Apache: `ProxyErrorOverride`; nginx: `proxy_intercept_errors`), search the service log for the unhandled exception that {what} causes.',
  'body|media-type|malformed-body|missing-body|fields-in-the-query|chunked-body|body-without-chunks 301|302|303|307|308 !redirect-to-login !redirect-for-slash !redirect-to-https':
    {
      fix: 'Answer 400 to a body that is refused: {what} is sent on to a page, as a form of a browser would be. Look for a validator that redirects clients that do not ask for JSON by name.',
      place: 'redirect of refused bodies',
      where: { Laravel: '`shouldRenderJsonWhen(fn () => true)` of the exceptions' },
    },
  'sends-suffix 200|406|500': {
    fix: 'Take the whole segment for the value: the router takes the letters behind its last dot for a format, and the rest for the value. {what} names nothing, so answer 404.',
    place: 'format behind a dot',
    where: {
      Rails:
        '`format: false` on the scope of the routes, as a default for `format` does not switch `(.:format)` off',
      'Spring Boot': 'no suffix patterns: `setUseSuffixPatternMatch(false)` and `favorPathExtension(false)`',
      'Django REST framework':
        'no `format_suffix_patterns`, and `include_format_suffixes = False` of the router',
    },
  },
  granted:
    'Do not change the stored scopes of a key: a key without the scope was refused with 403, and accepted {company}. Look there for code that adds scopes to the record of the key, such as defaults that are pushed onto its list or saved with it, and let it change a copy.',
};

/** Where only calls in company show it, such as on a reused connection. */
export const fixesInCompany: Fixes = {
  'of-keys 304': conditionBeforeKey,
  '403 with-riders rides-with-origin': foreignOrigin,
  '406 with-riders !varies-language': negotiation,
  'with-riders': {
    fix: 'Look for code that reads this part of a request, such as content negotiation, a filter by language or client, a body parser, a switch in the query, or a cache key: the call failed {company}, and got the right response without it.',
    place: 'what reads the headers {riders}',
  },
  'SESSION-2 500|501|timeout|reset !beside-another-session': atOnceOnSession,
  '500|501|timeout|reset':
    'Search the service log{id} for an unhandled exception. The call failed {company}, and was answered alone, so look for shared state: a connection pool that runs out, a lock, a cache, a variable of the process. Make room there, and answer 429 if the load is too high. If calls alone fail as often, look for what differs from call to call: an instance with another build, a feature flag, a service behind.',
  'valid-call 503':
    'Release what a call acquires, even if the call is refused or fails: the same call was answered 200 before, and no longer {company}. Look for a slot, a connection or a lock that the operation acquires, for instance before it reads the body, and does not release in a finally block: the number of calls that were answered 400 may be its capacity. Search the logs{id} for what was unavailable. A request limit must answer 429.',
  'valid-call 401|403':
    'Decide on each request by its own key alone: the same call was answered rightly as well, and it failed {company}. Look for what requests share: a connection, thread or variable of the process that keeps the key or the refusal of another call, a cache of refusals, or a lockout that wrong keys of other calls set off (answer 429 there).',
  'AUTH-5 valid-call 200': keyOfRequest,
  'AUTH-3 200 beside-others':
    'Refuse a call whose key cannot be looked up: alone, the same key is refused. Look for what happens while the store of keys is slow, out of connections or over a limit: an error, a time-out or an open circuit breaker that lets calls through. Look, too, for a look-up whose result concurrent calls share.',
  'missing-key|invalid-key|key-without-scope 200': `${noState} ${checkBeforeStores}`,
  'SURFACE-1 200 empty shows-cache-hit after-a-call':
    'Make the method part of the key of the cache, or store no response to HEAD: a cache in front gave the call the body that it has for another one, as its headers say (nginx: `$request_method` in `proxy_cache_key` or `fastcgi_cache_key`, or no HEAD in `proxy_cache_methods`).',
  '200|400|401|403|404': noState,
};

/** Where the call shows it alone. */
export const fixesAlone: Fixes = {
  'compressed-body 415': {
    fix: 'Decompress bodies, or refuse an unknown Content-Encoding with 400 before the body is parsed.',
    place: 'media types',
  },
  'any-call 415': {
    fix: 'Answer 400 if the media type or charset of a body is not supported, and ignore letter case and parameters when comparing media types. Errors of the body parser often bypass the error handler: catch all errors there.',
    place: 'media types',
    where: {
      NestJS:
        '`@Catch()` without a class in the global filter, because body parser errors are not HttpExceptions',
      Express: 'an error handler behind `express.json()` that reads `error.status`',
      Fastify: 'FST_ERR_CTP_INVALID_MEDIA_TYPE in `setErrorHandler`',
      hapi: '`payload.failAction` that throws `Boom.badRequest()`',
      'Spring Boot':
        'an `@ExceptionHandler(HttpMediaTypeNotSupportedException.class)`; in WebFlux for `UnsupportedMediaTypeStatusException`, and for a `ResponseStatusException` with 415',
      Quarkus: 'a `@ServerExceptionMapper` for NotSupportedException',
    },
  },
  'valid-call 400|404|421 says-host':
    'By its own words{words}, the service does not know the host of the request. Let each proxy in front pass it on at every location (nginx: `proxy_set_header Host $host`; Apache: `ProxyPreserveHost On`), or add the host to those that the service accepts.',
  'valid-call|client 400|401|403|404|409|500|502|503|504 shows-cache-hit':
    'A cache in front gave this call the stored answer to another one, as its headers say (Age, X-Cache). Store only successful responses, and let the cache key hold method, host, path and whole query (Apache: no `CacheIgnoreQueryString`).',
  'client 403 varies-origin': foreignOrigin,
  'refused-for-scope sequence':
    'Decide each request by its own key alone: {what} is refused for the scope, which its key holds in other calls. Look for a shared variable that authentication sets, such as one of a module, a class or a singleton, and for scopes that are cached by something other than the key: calls of another key may have been under way.',
  'body|media-type|malformed-body|missing-body|REQUEST-1 403 !by-others !sequence': {
    fix: 'Answer 400 to a wrong body: 403 says that the key lacks the scope, and this key is accepted with the usual body. Look for a guard that refuses by media type before the body is parsed, such as CSRF protection of forms (Hono: `csrf()`; SvelteKit: `csrf.checkOrigin`; Astro: `security.checkOrigin`), and leave it out where a key authenticates the call; and for a firewall that looks for SQL or markup in texts.',
    place: 'guard of bodies',
  },
  'SESSION-2 reads 400|409|410':
    'Answer the read of a cancelled session with 200 and what is kept of it, or with 404 if nothing is: {what} is refused. Look for a check of the state that only a change of the session needs, or for a failed lookup that a handler takes for a bad request.',
  'SESSION-2 409 !steady':
    'Carry out each call once: {what} is answered 409 in {times} tries, and rightly in the others. Look for a component that sends it twice, such as a gateway or a client library that retries and passes on the second answer, or for instances that disagree on the state or the time.',
  'client 500 sends-page':
    'Give the number of a page bounds, and answer 400 beyond them or ignore it: {what} causes an unhandled exception, which the service log{id} shows. Look for an offset beyond the type of the database (64 bits), and for a parser of numbers whose error is not caught.',
  'client 500 sends-brackets':
    'Check the type of a parameter before its use, and ignore it or answer 400 if it is no text: many frameworks make a list or a map of a name with brackets, on which string methods and queries fail. The service log{id} shows the exception that {what} causes.',
  'client 400|reset varies-wire sends-h2c':
    'Ignore an offer to change the protocol that the server does not take (RFC 9110 section 7.8), and read the body as usual: some servers stop reading at the head of such a request, and the service gets an empty body. uvicorn: `--http h11`, as httptools drops the body; Cowboy 2 switches before it reads the body; a proxy may also remove Upgrade and HTTP2-Settings (nginx does).',
  'client varies-body sends-media-type':
    'Compare the media type of a body without its parameters and regardless of letter case: {what} is refused, and the same body as plain application/json is accepted. Look for a comparison of the whole header with a text (Echo: its binder compares letter case, so put the header into small letters in a middleware; Elysia: `{ parse: "json" }` on the route).',
  'client 400 varies-body':
    'Read bodies only with a JSON parser: white space, the order of members, escapes and letters outside ASCII do not change the meaning of a body. Look for code that searches, splits or measures its text.',
  'client varies-wire-or-body sends-two-packets':
    'Wait for all bytes of a body, and join them before you decode them: {what} fails, and a letter of several bytes may arrive in two packets. Node.js: Buffer.concat(chunks).toString(), or request.setEncoding("utf8"); Python: an incremental decoder; Go: io.ReadAll. If every body in two packets fails, look for code that treats the first read as the whole body, or for a time limit on reading the body.',
  'client 409 varies-body':
    'Carry out each call once: the session is fresh, and {what} means the same as the accepted body. Look for a component that sends such a call twice, such as a gateway or client library that retries and passes on the second answer.',
  'STATUS-1 500|501|timeout|reset sends-at-the-same-time': atOnceOnSession,
  'SUCCESS-1 204': {
    fix: 'Answer 200 with a body, even if there is nothing to show: many frameworks answer 204 if a handler returns null or nothing.',
    where: {
      hapi: 'return an object, as `response.emptyStatusCode: 200` alone leaves the body empty',
      'ASP.NET Core': 'return an object, or remove HttpNoContentOutputFormatter',
      Quarkus: 'return an object or a Response',
      Cowboy: 'set a body with `cowboy_req:set_resp_body` before a callback of cowboy_rest returns true',
    },
  },
  'AUTH-5 valid-call 200 !steady': keyOfRequest,
  'repeated-call 404|409':
    'Check key and scope before the handler acts: the call was refused with the right status at first, and carried out all the same, as the other status of an equal call shows. Look for a check that runs behind the handler, such as in a hook or a filter of responses.',
  'repeated-call timeout':
    'Release what a call holds when it ends, even with an error. The service hangs on {what}: look for a lock, a connection or a transaction that is not released in a finally block. The service log{id} may show what the call waits for.',
  'repeated-call 500|reset': {
    fix: 'Answer 409 to a repeated call that cannot be carried out twice: {what} causes an unhandled exception. Search the service log{id} for a row that already exists, such as a unique key that is inserted twice, or a state that was already reached. Check for it in the transaction that changes it, or catch that error.',
    place: 'what comes again',
  },
  'awaits-100 timeout':
    'Answer the call, with or without a 100 before: the client holds its body back until then, or for a second (RFC 9110 section 10.1.1; curl does so with large bodies). If the server behind a proxy waits for something else, let the proxy drop the header (Apache: `RequestHeader unset Expect early`; HAProxy: `http-request del-header Expect`).',
  timeout:
    'Find out where the service hangs on {what}: a regular expression that backtracks, a lock, or a call to another service without a timeout. The service log{id} may show it.',
  'malformed-response':
    'Let the server write status line and headers: the response to {what} is not valid HTTP, or its length differs from the stated one.',
  reset: {
    fix: 'Search the logs of the service and its server{id}: on {what}, a worker died or closed the connection without a response.',
    where: {
      'Go net/http':
        'it closes the connection of a handler that panics; recover in a middleware, and answer there',
    },
  },
  'body-without-chunks accepted':
    'Refuse a call without its body first, whatever its framing and media type: many parsers make an empty object of it, and defaults fill that in. If the service refuses it with Content-Length: 0, it reads a body without any chunk as such an object.',
  'body-without-chunks 500':
    'Treat a chunked body without any chunk as an absent one, and answer 400. The parser returns nothing for it, and the code that uses the result fails. Search the service log{id} for the exception.',
  'chunked-body': {
    fix: 'Read bodies with Transfer-Encoding: chunked: code that relies on Content-Length treats them as empty or refuses them. A proxy that reads the whole body first also helps (nginx: `proxy_request_buffering on`; Apache in front of PHP-FPM: `SetEnv proxy-sendcl 1`).',
    where: {
      Flask: 'use a server that sets `wsgi.input_terminated`, such as gunicorn',
      Django:
        'it reads no more than Content-Length states: add a middleware that reads `wsgi.input` to its end (gunicorn provides it) and sets CONTENT_LENGTH; a proxy that adds the header helps as well (HAProxy cannot)',
      Rails: 'read `request.body` to its end, not CONTENT_LENGTH bytes',
    },
  },
  'fields-in-the-query 200': {
    fix: 'Refuse a call without its body first: many parsers replace it with an empty object. If the service refuses the same call without the query, it reads fields from the query: read them only from the body.',
    where: {
      Rails: '`request.request_parameters` instead of `params`',
      'Spring Boot': '`@RequestBody` instead of `@RequestParam` and `@ModelAttribute`',
      Express: '`req.body`, never merged with `req.query`',
      Flask: '`request.get_json()` instead of `request.values`',
    },
  },
  'session-of-another-body 500|502|timeout|reset':
    'Refuse in a create what a read cannot show, or let the read show it: {what} was created with 200, and cannot be read. Search the service log{id} for the exception: a stricter parser of addresses, a template, or a serializer that does not take a character.',
  'prototype-name':
    'Look up values in a Map, or with Object.hasOwn, and answer 404 to {what}: every plain object has properties such as constructor and __proto__.',
  'encoded-value 200':
    'Decode the value once, look it up as a whole, and answer 404 if it is not found. Look for code that decodes it twice, or truncates it at an encoded slash, question mark, line break or NUL: in the service, or in a proxy that passes on the decoded path (nginx: `proxy_pass` without a path and without `$uri`; Apache: `AllowEncodedSlashes NoDecode` and `nocanon`).',
  '500 sends-client-ip':
    'Do without the address of the client, or take it from one header: {what} contradicts X-Forwarded-For, and ends in an unhandled exception (Rails: IpSpoofAttackError; set `config.action_dispatch.ip_spoofing_check = false`, or let the proxy drop Client-IP).',
  'repeated-parameter 500':
    'Accept a repeated parameter: many frameworks turn it into a list, on which string methods fail. Check the type, and use one of the values, ignore them or answer 400. The service log{id} shows the exception that {what} causes.',
  '500 !steady':
    'Search the service log{id} for an unhandled exception. It occurred with {what} in {times} tries, so the call alone is not the cause. Look for shared state and races: an id or a number that is counted, a row that is read before it is written, a unique key that an earlier equal call has taken, a connection pool, a cache.',
  '500 sends-other-letters':
    'Count and truncate by characters, not bytes, and store texts in full UTF-8: {what} causes an unhandled exception. Search the service log{id} for an index into the bytes of a text, a column whose charset cannot hold emoji (MySQL: utf8mb4), or the default encoding of the platform.',
  '500 sends-long-text':
    'Check the length of a text before storing it, and answer 400 if it is too long: {what} causes an unhandled exception. Search the service log{id} for a column that is too short, an index into a text, or a limit of another service.',
  'path-value|encoded-value 500 sends-undecodable':
    'Decode the path once, and answer 400 or 404 if it cannot be decoded: {what} causes an unhandled exception. Search the service log{id} for code that decodes the path, or assumes UTF-8 without a check.',
  '500 sends-control-characters': {
    fix: 'Before storing or querying, answer 400 or 404 to a text with NUL or another control character that the database cannot hold (PostgreSQL cannot hold NUL): {what} causes an unhandled exception, which the service log{id} shows.',
    place: 'texts with control characters',
    isOfThisAlone: true,
  },
  '500 sends-deep-json':
    'Answer 400 to a body that is nested too deeply: {what} causes an unhandled exception. Parsers that overflow the stack throw another error than for malformed JSON (Python: RecursionError; Java: StackOverflowError). Limit the depth, or catch that error as well. The service log{id} shows where.',
  'malformed-body 500':
    'Catch the error of the JSON parser, and answer 400: {what} causes an unhandled exception, which the service log{id} shows.',
  'unissued-return 500':
    'Look up a return before using it, and answer 400, 401 or 404 if it was never issued or was already used: {what} causes an unhandled exception. Search the service log{id} for a missing value.',
  'valid-call 500 says-extension':
    'Provide the request extension that the handler reads for this route as well: by its own words{words}, the service lacks it. axum: a `layer` covers only routes that were added before it, so add this route before it. If the layer is the guard, the route is unguarded.',
  'client 500 varies-query':
    'Take the text of a query as data: {what} causes an unhandled exception, which the service log{id} shows. Look for a text that is part of a query language as it comes (PostgreSQL: websearch_to_tsquery, not to_tsquery; Lucene: escape it; SQL: bind it), or that is parsed without a check; answer 400 to what cannot be read.',
  'any-call 500':
    'Search the service log{id} for the unhandled exception that {what} causes. Fix its cause, and let the last error handler write a PublicErrorResponse body.',
  'valid-call 401|403 !steady':
    'Decide each request by its own key alone: the same key was refused in {times} tries, and accepted in the others. Look for shared state: a variable of the process or thread that holds the current key, a cache of keys or refusals, a lockout that wrong keys of other calls trigger (answer 429 there), or instances that do not share the key store.',
  '502|504':
    'Search the logs of the proxy and of the service behind it{id}: on {what}, the service died, closed the connection or took too long.',
  'invalid-key 200 sends-other-case':
    'Compare keys exactly, letter case included: {what} is accepted. Look for a column whose collation ignores case, for `map` of nginx, which compares plain texts without case (write `~^…$`), for a key that is folded before it is looked up or cached, and for a server that does so with headers: if a header differs only in case from an earlier one on the connection, Jetty reads it as the earlier one, unless `HttpConfiguration.setHeaderCacheCaseSensitive(true)` is set.',
  'missing-key|invalid-key|key-without-scope 200 !steady !named-cause':
    'Decide each request by its own key alone: the same call was accepted in {times} tries, and refused in the others. Look for shared state: a variable of the process or thread that holds the current key, a reused object that keeps what the last call put in (Go: sync.Pool; thread locals), a cache of keys, scopes or responses, or an instance that does not check.',
  'valid-call 503':
    'Search the logs{id} for what was unavailable. If it was available before, look for a resource that calls acquire and do not release. A request limit must answer 429.',
  'any-call 503': 'Search the logs{id} for what was unavailable on {what}. A request limit must answer 429.',
  '301|302|303|307|308 redirect-for-slash': {
    fix: 'Serve the path as it is: the router adds or removes the trailing slash by a redirect.',
    place: 'trailing slash',
    where: {
      Django: 'declare the routes without the slash, and set `APPEND_SLASH = False`',
      FastAPI: '`redirect_slashes=False`',
      'Go net/http': 'register the pattern without the trailing slash',
      Symfony: 'declare the routes without the slash',
    },
  },
  '301|302|303|307|308 redirect-to-login': {
    fix: 'Answer 401 instead of redirecting to a login page, which is for browsers.',
    place: 'login page',
    where: {
      'Spring Boot':
        '`exceptionHandling().authenticationEntryPoint(…)` with one that sets 401 and writes the error body',
      Django: 'no `login_required` on routes of the interface',
      Rails: 'handle the format json in the failure app of Devise',
      'ASP.NET Core': '`OnRedirectToLogin` of the cookie options',
      Laravel: '`redirectGuestsTo(fn () => null)`, or `Accept: application/json` set by a middleware',
      Symfony: 'an `entry_point` of the firewall that answers 401',
    },
  },
  '301|302|303|307|308 redirect-to-https': 'Run with the https base URL: the target redirects there.',
  'client 301|302|303|307|308':
    'Answer the call itself, whoever sends it: {what} is sent on to another page, and the valid call without it is not. Look for code that tells browsers from other clients, by Accept, User-Agent or Sec-Fetch-Mode, and leave the calls of this interface out.',
  'missing-key|invalid-key 403': {
    fix: 'Answer 401 if the key is missing or invalid. Many frameworks answer 403 if no authentication scheme provides a challenge.',
    place: 'challenge',
    where: {
      'Django REST framework': 'return a scheme from `authenticate_header` of the first authentication class',
      'Spring Boot':
        '`exceptionHandling().authenticationEntryPoint(…)` with one that sets 401 and writes the error body',
      FastAPI: '`APIKeyHeader(auto_error=False)`, and raise 401 yourself',
      NestJS: 'throw UnauthorizedException in the guard: a guard that returns false is answered 403',
    },
  },
  'path-value|prototype-name|encoded-value 401|403 !by-others':
    'Answer 404 if nothing is found: the same call to a known resource is not refused. Look for a guard that runs after a failed lookup, or for a rule that covers unknown paths. A proxy may refuse some values as well (Apache: `ProxyPass … nocanon` instead of a RewriteRule with [P], which refuses an encoded question mark).',
  'invalid-key 400': {
    fix: 'Answer 401 to every key that is not found or cannot be parsed: {what} is answered 400. Authenticate before checking the body, and look for the parser of the Authorization header, whose error another handler takes for a bad request.',
    where: {
      Ktor: 'an `exception<BadRequestException>` of StatusPages catches that of `parseAuthorizationHeader`',
    },
  },
  'missing-key|invalid-key 400|404|405|409|415|422':
    'Authenticate before checking the route, the body or the resource, and refuse with 401.',
  'key-without-scope 401|404': 'Answer 403 if a valid key lacks the scope, before looking up the resource.',
  'valid-call 404 by-others':
    'The router does not know this route: compare method and path with the 25 of the contract, and the base URL with the prefix that the gateway strips.',
  'valid-call 404|410 plain !named-cause of-issued steady':
    '{issued}, but the service does not find it: check how its expiry is computed (time zone? seconds or milliseconds?), whether the create stored it, and whether all instances share that store.',
  'valid-call 400 plain !named-cause steady':
    'The service refuses the valid call{words}: correct the values and the body in the target file, or the validation rule that refuses them. It may require a header or a field that the contract does not.',
  'valid-call 405': 'The path exists, but not for {method}: register the operation under {method}.',
  'any-call 405': 'The router refuses the call before it reaches the operation. Answer 404 instead of 405.',
  'any-call 406 varies-language':
    'Never refuse a call for its Accept-Language: answer in the default language if the service knows none that it names.',
  'any-call 406': {
    ...negotiation,
    fix: `${negotiation.fix} If the same call with another value is answered, a firewall blocks the value: exempt the API from its rules.`,
  },
  'any-call 408': {
    fix: 'Let no timer of a connection answer a request. Close an idle connection without a response, count the time of a request from its first byte, and allow a second between the parts of a body. The response depends on the connection, whatever the call carries.',
    place: 'time limit of connections',
    ofContents: true,
  },
  'any-call 411': {
    fix: 'Accept bodies without Content-Length: HTTP/1.1 allows Transfer-Encoding: chunked.',
    place: 'length of bodies',
  },
  'any-call 413': {
    fix: 'Raise the body size limit, or answer 400 if it is exceeded. Errors of the body parser often bypass the error handler: catch all errors there.',
    place: 'size of bodies',
    where: {
      Express: '`express.json({ limit: … })`',
      Fastify: '`bodyLimit`',
      axum: '`DefaultBodyLimit::max(…)`, and no smaller RequestBodyLimitLayer',
      'Actix Web': '`JsonConfig::limit`',
      Quarkus: '`quarkus.http.limits.max-body-size`',
      Javalin: '`config.http.maxRequestSize`',
      'ASP.NET Core': '`MaxRequestBodySize` of Kestrel',
      PHP: '`post_max_size`',
      nginx: '`client_max_body_size`',
      Apache: '`LimitRequestBody`',
      NestJS:
        '`app.useBodyParser("json", { limit: … })`, and `@Catch()` without a class in the global filter, because body parser errors are not HttpExceptions',
    },
  },
  'any-call 422': {
    fix: 'Answer 400 to an invalid body or value: 422 is the default of the framework or its validator.',
    place: 'validator',
    where: {
      FastAPI: 'an `exception_handler(RequestValidationError)`',
      NestJS: 'no `errorHttpStatusCode: 422` in the ValidationPipe',
      Laravel: 'render ValidationException with 400',
      Symfony: '`#[MapRequestPayload(validationFailedStatusCode: 400)]`',
      Rails: '`rescue_from ActionController::ParameterMissing` and no `status: :unprocessable_entity`',
    },
  },
  'any-call 414': {
    fix: 'Raise the limit on the request line to 8,000 octets, or answer 400 or 404 if it is exceeded.',
    place: 'length of targets',
    where: {
      gunicorn: '`--limit-request-line 8190`',
      Fastify: '`maxParamLength` (default 100), and `frameworkErrors` for its error',
    },
  },
};
