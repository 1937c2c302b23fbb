import type { ByteFault } from './answer-text.ts';
import type { SentClass } from './cause.ts';

/** What to do about findings of one kind of cause, whatever requirement they violate. */
export interface CauseFix {
  /** All classes of requests if absent. */
  readonly sent?: readonly SentClass[];
  /** Statuses or kinds of failures; all if absent. */
  readonly came?: readonly (number | string)[];
  /** Where the redirect leads, relative to the path of the request. */
  readonly redirectsTo?: 'trailing slash' | 'login' | 'https';
  /** True if something other than the service answered, false if the service did. */
  readonly byOthers?: boolean;
  /** True if only requests in company show it, such as on a reused connection; false if not given. */
  readonly inCompany?: boolean | 'either';
  /** True if it is about what a response holds, whatever was sent. */
  readonly ofContents?: true;
  /** What the finding says that came. */
  readonly actual?: RegExp;
  /** What the service's own words say. */
  readonly says?: RegExp;
  /** What the words for what was sent say. */
  readonly what?: RegExp;
  /** True if the call has no change at all, and its check knows no cause. */
  readonly plain?: true;
  /** True if the call uses what another call of the run has just issued. */
  readonly ofIssued?: true;
  /** The requirement that is violated, where others have other causes. */
  readonly requirement?: string;
  /** The factors of which the call varies no others. */
  readonly only?: readonly string[];
  /** The kind of the finding, where its check knows the cause. */
  readonly kind?: string;
  /** True if its company rode along on the call, because a service may not notice it. */
  readonly byHeaders?: boolean;
  /** True if only some tries show it, false if all do. */
  readonly comesAndGoes?: boolean;
  /** One place decides all responses of this kind: they are one root cause, whatever requirements they violate. */
  readonly place?: string;
  /** `{id}` stands for where to look in the log, `{what}` for what was sent, `{method}` for its method, `{issued}` for the call that issued what it uses and when, `{words}` for the service's own, `{company}` for its company, `{times}` for how often it was seen. */
  readonly fix: string;
  /** Where to do that in frameworks that the table of responders knows, by their names. */
  readonly where?: Readonly<Record<string, string>>;
}

/** What to do about a response whose bytes are wrong, whatever was sent. */
export const byteFixes: Readonly<Record<ByteFault, { readonly headline: string; readonly fix: string }>> = {
  characters: {
    headline: 'JSON with characters outside ASCII is cut off where its Content-Length ends',
    fix: 'Count the bytes of the body for Content-Length, not its characters: a character outside ASCII takes two to four bytes. Node.js: Buffer.byteLength(text); Python: len(text.encode()); Java: getBytes(UTF_8).length; or leave the header to the framework. If JSON in plain ASCII is cut off as well, look for a buffer that is too small in place of it.',
  },
  other: {
    headline: 'JSON is cut off before its end',
    fix: 'Send the whole body, as long as Content-Length says: look for a limit of a buffer, a stream that ends early, an exception while the response is written, or a proxy that cuts.',
  },
  twice: {
    headline: 'A body holds two JSON documents, one after the other',
    fix: 'End the handler once a response is written: it writes an error and goes on, so that what it was to prevent follows. Go: a return after the call that writes the error; Express: `return response.status(…)`; a middleware: no call of the next one.',
  },
  compressed: {
    headline: 'A body is compressed with gzip beyond what its Content-Encoding says',
    fix: 'Compress each response once, in one place: decoded as its Content-Encoding says, the body is gzip still (it begins with the bytes 1f 8b). Look for two parts that both compress, such as the application or a filter of it and the server or proxy in front, or for a part that removes or does not set Content-Encoding. It may hit only clients that accept gzip, and only bodies above a size.',
  },
  charset: {
    headline: 'JSON with characters outside ASCII is not in UTF-8',
    fix: 'Write JSON in UTF-8, whatever the default of the platform: the body has bytes that are no UTF-8, such as those of ISO-8859-1. It shows only where a text has characters outside ASCII, such as a value of the request that an error repeats. Servlets: setCharacterEncoding("UTF-8") before getWriter(), whose default is ISO-8859-1; Java: getBytes(UTF_8); Python: text.encode(); PHP: check what the database and its connection give.',
  },
  broken: {
    headline: 'Responses break off after their head',
    fix: 'Send as many bytes as Content-Length says, or leave that header to the framework. It counts bytes, not characters: Node.js: Buffer.byteLength(text); Python: len(text.encode()); Java: getBytes(UTF_8).length. If the length is right, look in the logs of the service and its server for an exception while a body is written.',
  },
};

/** The kind of findings about ids that follow one another and collide. */
export const countedIds = 'counted ids';

/** What to do about ids that creates under way at once share. */
export const idInOneStep =
  'Make the id in one step with the row: a random id, or one that the database assigns. An id that is counted or read before the row is written is given to every create under way: the last one overwrites the others, or all but the first violate the unique key.';

/** The kind of findings about a call that gives a key a scope. */
export const grantedKind = 'granted by a call';

/** The deviation of a read that shows another session than the one that was asked for. */
export const anotherSession = 'another session';

/** The deviation of a create that returns a session that another one made. */
export const sharedSession = 'shared session';

/** The deviation of a valid call that was refused, and answered as usual before and after. */
export const forAWhile = 'for a while';

/** What to do about a valid call that gets, beside others, what belongs to another key. */
const keyOfRequest: Omit<CauseFix, 'inCompany' | 'comesAndGoes'> = {
  requirement: 'AUTH-5',
  sent: ['valid call'],
  came: [200],
  fix: 'Keep the current key with its request: the same call gets the right response alone, and that of another key while calls of other keys are under way. Look for a variable that requests share and that authentication sets, such as one of the module, the class or a singleton, and read the key from the request in place of it. Where calls that are under way are joined by their URL, join them by key.',
  where: {
    'Django REST framework': '`request.user` and `request.auth`, or a ContextVar',
    'Go net/http': '`r.Context()`',
    Javalin: '`ctx.attribute(…)`',
    NestJS: 'the request, a provider with `Scope.REQUEST`, or AsyncLocalStorage',
    'Spring Boot': 'SecurityContextHolder, not a field of a singleton',
  },
};

/** What to do about two calls on a session of which one fails for the other. */
const atOnceOnSession: CauseFix = {
  came: [500, 501, 'timeout', 'reset'],
  fix: 'Let one of two calls at once on a session wait for the other, or answer 409: it failed with another call on the same session under way, and alone it is answered. Look in the log of the service{id} for a lock that is not waited for (NOWAIT, a busy timeout of zero), a deadlock, or a conflict of transactions or versions that is to be tried again.',
};

/** What to do about a key that one operation refuses and others accept. */
export const ofOneRoute =
  'Look for what is special about this route, as other operations accept the same key: a location of the proxy that does not pass on Authorization (nginx: its own `proxy_set_header` lines replace all of those above them), or a guard of its own that looks for the key elsewhere.';

/** What to do about valid calls that are refused for the scope while calls without it are accepted. */
export const scopeOfRequest =
  'Keep the current key with its request: a call with a key that lacks the scope is accepted, and a valid call is refused with 403 for want of it. Look for a variable that requests share and that authentication sets, such as one of the module, the class or a singleton, or for scopes that are cached by something else than the key.';

const keyless: readonly SentClass[] = ['missing key', 'invalid key'];
const bodies: readonly SentClass[] = ['body', 'media type', 'malformed body', 'missing body', 'client'];

/** Classes of requests that are refused for their body, or for the lack of one. */
export const aboutBodies: readonly SentClass[] = [...bodies, 'fields in the query', 'chunked body'];

/** What to do where the refusal of a body has another shape than other errors. */
export const validationFix: CauseFix = {
  fix: 'Send every error through one writer, and those of the parser and the validator of bodies as well: the 400 to a body has another shape than the other errors of the service.',
  where: {
    'Django REST framework': 'wrap the data of ValidationError in the EXCEPTION_HANDLER too',
    FastAPI: 'an `exception_handler(RequestValidationError)`',
    NestJS: 'an `exceptionFactory` of the ValidationPipe, or a filter that renders BadRequestException',
    'Spring Boot':
      'an `@ExceptionHandler` for MethodArgumentNotValidException and HttpMessageNotReadableException',
    Express: 'no `response.json(errors)` in a validator: call `next(error)`',
  },
};

/** What to do about a refusal for the page that a call comes from. */
const foreignOrigin: CauseFix = {
  only: ['origin', 'referer', 'sec-fetch-site'],
  came: [403],
  fix: 'Answer calls with an Origin or a Referer as those without. Leave out the CORS headers for a foreign origin instead of refusing the call, and switch off the protection of pages against forged requests for this interface (Sinatra: set :protection, except: %i[json_csrf http_origin]; Django: csrf_exempt; Spring: csrf().disable()).',
};

/** Kinds of causes, the more specific first. */
export const causeFixes: readonly CauseFix[] = [
  {
    sent: ['valid call'],
    inCompany: 'either',
    came: [401, 403],
    says: /\btoo many\b|\battempts?\b|\block(?:ed|out)\b|\btry again\b/i,
    fix: 'Refuse no valid key because other calls failed: by its own words, the service locks clients out after failed attempts. Count failures by key, and not by address, and answer 429 where a client is too fast.',
  },
  {
    sent: ['compressed body'],
    came: [415],
    place: 'media types',
    fix: 'Read compressed bodies, or refuse them with 400 where the Content-Encoding is not known, before the body is parsed.',
  },
  {
    came: [415],
    place: 'media types',
    fix: 'Answer 400 where the media type or charset of a body is not supported, and compare media types without regard to letter case and parameters. Errors of the body parser often pass by the handler of the other errors: catch all errors there.',
    where: {
      NestJS:
        '`@Catch()` without a class in the global filter, for errors of the body parser are no HttpException',
      Express: 'an error handler behind `express.json()` that reads `error.status`',
      Fastify: 'FST_ERR_CTP_INVALID_MEDIA_TYPE in `setErrorHandler`',
      'Spring Boot': 'an `@ExceptionHandler(HttpMediaTypeNotSupportedException.class)`',
      Quarkus: 'a `@ServerExceptionMapper` for NotSupportedException',
    },
  },
  {
    actual: /^200 in the coding/,
    inCompany: 'either',
    place: 'compression',
    fix: 'Compress a response only in a coding that Accept-Encoding allows, and not at all for identity alone or without the header. Look for a Content-Encoding or a compressed file that is sent to everybody, and for a cache without Vary: Accept-Encoding.',
    where: { nginx: '`gzip_static on`, not `always`, and `gunzip on`', Apache: 'no `SetEnv force-gzip`' },
  },
  {
    actual: /^JSON under the media type/,
    ofContents: true,
    inCompany: 'either',
    place: 'media type of responses',
    fix: 'Set Content-Type: application/json before the status line is written, and in what writes the errors, too: the body is JSON and called something else. Go: Header().Set before WriteHeader.',
  },
  {
    sent: ['valid call'],
    came: [400, 404, 421],
    says: /\b(?:host|domain)\b/i,
    fix: 'By its own words{words}, the service does not know the host of the request: let each proxy in front pass it on (nginx: `proxy_set_header Host $host`; Apache: `ProxyPreserveHost On`), at every location, or add the host to those that the service knows.',
  },
  {
    inCompany: 'either',
    came: [400, 403, 419],
    says: /\bcsrf\b|\bforgery\b|authenticity token/i,
    fix: 'Ask for no token against forged forms (CSRF) where a key authenticates the call (Django: csrf_exempt, or a view of Django REST framework; Rails: ActionController::API; Laravel: routes/api.php; Spring: csrf().disable() for these routes).',
  },
  { ...foreignOrigin, sent: ['client'] },
  { ...foreignOrigin, inCompany: true, byHeaders: true },
  {
    sent: ['client'],
    only: ['body'],
    came: [400],
    fix: 'Read bodies with a parser of JSON alone: white space, the order of members, escapes and letters outside ASCII change nothing in what a body says. Look for code that searches, splits or measures its text.',
  },
  {
    sent: ['client'],
    only: ['wire', 'body'],
    what: /two packets/,
    fix: 'Wait for all bytes of a body, and join them before you decode them: {what} fails, and a letter of several bytes may arrive in two packets. Node.js: Buffer.concat(chunks).toString(), or request.setEncoding("utf8"); Python: an incremental decoder; Go: io.ReadAll. Where any body in two packets fails, look for code that takes the first read for the whole, or for a limit on the time that a body may take.',
  },
  {
    sent: ['client'],
    only: ['body'],
    came: [409],
    fix: 'Carry each call out once: the session is fresh, and {what} says the same as the body that is accepted. Look for what sends such a call a second time, such as a gateway or a client library that retries and passes on the answer to the second try.',
  },
  { kind: countedIds, inCompany: 'either', fix: idInOneStep },
  {
    kind: grantedKind,
    inCompany: 'either',
    fix: 'Leave the scopes of a key as they are stored: a key without the scope was refused with 403, and accepted {company}. Look there for code that adds scopes to the record of the key, such as defaults that are pushed onto its list or saved with it, and let it change a copy.',
  },
  {
    inCompany: true,
    byHeaders: true,
    place: 'what reads the headers',
    fix: 'Look for what reads this part of a request, such as content negotiation, a filter by language or client, a body parser, a switch in the query, or the key of a cache: it failed {company}, and the same call without that got the right response.',
  },
  { ...atOnceOnSession, requirement: 'SESSION-2', inCompany: true },
  { ...atOnceOnSession, requirement: 'STATUS-1', what: /at the same time/ },
  {
    inCompany: true,
    came: [500, 501, 'timeout', 'reset'],
    fix: 'Look in the log of the service{id}: an exception was not handled. It happened {company}, and not to the same call alone. Look for what requests share: a pool of connections that runs out, a lock, a cache, a variable of the process. Make room there, and answer 429 where the load is too much.',
  },
  {
    sent: ['valid call'],
    inCompany: true,
    came: [503],
    fix: 'Give back what a call takes, also where it is refused or fails: the same call was answered 200 until then, and no more {company}. Look for a slot, a connection or a lock that the operation takes, for instance before it reads the body, and gives back in no finally block: the number of those that were answered 400 may be the size of what runs out. What is not available is in the logs{id}. A limit on requests answers 429.',
  },
  {
    sent: ['valid call'],
    inCompany: true,
    came: [401, 403],
    fix: 'Decide on each request by its own key alone: the same call was answered rightly as well, and it failed {company}. Look for what requests share: a connection, thread or variable of the process that keeps the key or the refusal of another call, a cache of refusals, or a lockout that wrong keys of other calls set off (answer 429 there).',
  },
  { ...keyOfRequest, inCompany: true },
  { ...keyOfRequest, comesAndGoes: true },
  {
    inCompany: true,
    came: [200, 400, 401, 403, 404],
    fix: 'Keep nothing of a request beyond its response, neither with the connection nor with the thread or process, and its key in no variable that requests share: the same call alone gets the right response, and it failed {company}.',
  },
  {
    sent: ['repeated call'],
    came: ['timeout'],
    fix: 'Release what a call holds when it ends, also where it ends with an error. It hangs with {what}: look for a lock, a connection or a transaction that is not released in a finally block. The log of the service{id} may show what it waits for.',
  },
  {
    sent: ['repeated call'],
    came: [500, 'reset'],
    place: 'what comes again',
    fix: 'Answer 409 where a call comes again and cannot be carried out twice. It happened with {what}, and ended in an exception that was not handled. Look in the log of the service{id} for a row that is there already, such as a unique key that is inserted twice, or for a state that is reached already. Check for it in the transaction that changes it, or catch that error.',
  },
  {
    came: ['timeout'],
    fix: 'Look in the log of the service{id} for a call that hangs, such as a regular expression that backtracks, a lock, or a call of another service without a time limit. It happened with {what}.',
  },
  {
    came: ['malformed-response'],
    fix: 'Let the server write status line and headers: the response is not HTTP, or has another length than it says. It came to {what}.',
  },
  {
    came: ['reset'],
    fix: 'Look in the logs of the service and its server{id}: a worker died, or cut the connection in place of a response. It happened with {what}.',
    where: {
      'Go net/http':
        'it cuts the connection of a handler that panics; recover in a middleware, and answer there',
    },
  },
  {
    sent: ['chunked body'],
    fix: 'Read bodies with Transfer-Encoding: chunked: code that reads Content-Length takes them for empty or refuses them. A proxy that reads the whole body first also helps (nginx: `proxy_request_buffering on`).',
    where: {
      Flask: 'use a server that sets `wsgi.input_terminated`, such as gunicorn',
      Django:
        'it reads as much as Content-Length says: a middleware reads `wsgi.input` to its end, which gunicorn gives, and sets CONTENT_LENGTH (a proxy that adds the header helps as well; HAProxy cannot)',
      Rails: 'read `request.body` to its end, not as many bytes as CONTENT_LENGTH says',
    },
  },
  {
    sent: ['fields in the query'],
    came: [200],
    fix: 'Refuse a call without its body before anything else: many parsers replace it with an empty object. If the service refuses the same call without the query, it takes fields from there: read them from the body only.',
    where: {
      Rails: '`request.request_parameters` in place of `params`',
      'Spring Boot': '`@RequestBody` in place of `@RequestParam` and `@ModelAttribute`',
      Express: '`req.body`, never merged with `req.query`',
      Flask: '`request.get_json()` in place of `request.values`',
    },
  },
  {
    sent: ['prototype name'],
    fix: 'Look values up in a Map, or with Object.hasOwn: a plain object has properties such as constructor and __proto__ for every name of that kind. Answer 404. It happened with {what}.',
  },
  {
    sent: ['encoded value'],
    came: [200],
    fix: 'Look the whole value up, decoded once, and answer 404 where it is not found. Look for what decodes it twice, or cuts it at an encoded slash, question mark, line break or NUL: the service, or a proxy that passes on the decoded path (nginx: `proxy_pass` without a path and without `$uri`; Apache: `AllowEncodedSlashes NoDecode` and `nocanon`).',
  },
  {
    sent: ['repeated parameter'],
    came: [500],
    fix: 'Take a parameter that is given twice: many frameworks make a list or an array of it, on which the methods of a text fail. Check the type, and use one of the values, ignore them or answer 400. It happened with {what}; the exception is in the log of the service{id}.',
  },
  {
    came: [500],
    comesAndGoes: true,
    fix: 'Look in the log of the service{id}: an exception was not handled. It happened with {what}, in {times} tries, so that the call alone is not the cause. Look for what requests share or race for: an id or a number that is counted, a row that is read before it is written, a unique key that an equal call before has taken, a pool of connections, a cache.',
  },
  {
    came: [500],
    what: /\baccents\b|\bemoji\b|outside ASCII|many scripts/,
    fix: 'Count and cut characters, not bytes, and store texts in UTF-8 with four bytes: {what} ends in an exception that was not handled. Look in the log of the service{id} for an index into the bytes of a text, a column whose charset has no room for emoji (MySQL: utf8mb4), or an encoding of the platform.',
  },
  {
    came: [500],
    what: /letters more|much longer|much larger|length of/,
    fix: 'Check how long a text is before it is stored, and answer 400 where it is too long: {what} ends in an exception that was not handled. Look in the log of the service{id} for a column that is too short, an index into a text, or a limit of another service.',
  },
  {
    sent: ['path value', 'encoded value'],
    came: [500],
    what: /not UTF-8|lone surrogate|percent sign/,
    fix: 'Answer 400 or 404 to a path that cannot be decoded, and decode it once: {what} ends in an exception that was not handled. Look in the log of the service{id} for what decodes the path, or takes it for UTF-8 without a check.',
  },
  {
    came: [500],
    what: /\bNUL\b|%00|\\u0000|control characters/,
    fix: 'Answer 400 or 404 to a text with NUL or another control character that the store cannot hold, such as PostgreSQL, before it gets there: {what} ends in an exception that was not handled. Look in the log of the service{id} for it.',
  },
  {
    came: [500],
    what: /\blevels\b|opening brackets/,
    fix: 'Answer 400 to a body that is too deep: {what} ends in an exception that was not handled. Parsers that go deeper than the stack allows throw another error than for a body that is no JSON (Python: RecursionError; Java: StackOverflowError). Limit the depth, or catch that error as well. The log of the service{id} shows where.',
  },
  {
    sent: ['malformed body'],
    came: [500],
    fix: 'Catch the error of the JSON parser, and answer 400: {what} ends in an exception that was not handled. Look in the log of the service{id} for it.',
  },
  {
    sent: ['unissued return'],
    came: [500],
    fix: 'Look a return up before it is used, and answer 400, 401 or 404 where it was never issued or was used before: {what} ends in an exception that was not handled. Look in the log of the service{id} for a value that is not there.',
  },
  {
    sent: ['valid call'],
    came: [500],
    says: /request extension|Extension of type/,
    fix: 'Put what the handler takes from the request there for this route as well: by its own words{words}, it is missing. axum: a `layer` covers the routes that were added before it, so add this route before it. If the layer is the guard, the route has none.',
  },
  {
    came: [500],
    fix: 'Look in the log of the service{id}: an exception was not handled. It happened with {what}. Fix its cause, and let the last error handler write a PublicErrorResponse body.',
  },
  {
    sent: ['valid call'],
    came: [401, 403],
    comesAndGoes: true,
    fix: 'Decide on each request by its own key alone: the same key was refused in {times} tries, and accepted in the others. Look for what requests share: a variable of the process or thread that holds the current key, a cache of keys or refusals, a lockout that the wrong keys of other calls set off (answer 429 there), or instances that do not share the store of keys.',
  },
  {
    came: [502, 504],
    fix: 'Look in the logs of the proxy and of the service behind it{id}: the service died, cut the connection or took too long. It happened with {what}.',
  },
  {
    sent: [...keyless, 'key without scope'],
    came: [200],
    comesAndGoes: true,
    fix: 'Decide on each request by its own key alone: the same call was accepted in {times} tries, and refused in the others. Look for what requests share: a variable of the process or thread that holds the current key, a cache of keys, scopes or responses, or an instance that does not check.',
  },
  {
    sent: ['valid call'],
    came: [503],
    fix: 'Look in the logs{id} for what was not available. If it was there before, look for what a call takes and does not give back. A limit on requests answers 429.',
  },
  {
    came: [503],
    fix: 'Look in the logs{id} for what was not available. It happened with {what}. A limit on requests answers 429.',
  },
  {
    came: [301, 302, 303, 307, 308],
    redirectsTo: 'trailing slash',
    place: 'trailing slash',
    fix: 'Serve the path as it is: the router redirects to another spelling of the slash at its end.',
    where: {
      Django: 'declare the routes without the slash, and set `APPEND_SLASH = False`',
      FastAPI: '`redirect_slashes=False`',
      'Go net/http': 'register the pattern without the slash at its end',
      Symfony: 'declare the routes without the slash',
    },
  },
  {
    came: [301, 302, 303, 307, 308],
    redirectsTo: 'login',
    place: 'login page',
    fix: 'Answer 401 in place of a redirect to a login page, which is for browsers.',
    where: {
      'Spring Boot': '`exceptionHandling().authenticationEntryPoint(new HttpStatusEntryPoint(UNAUTHORIZED))`',
      Django: 'no `login_required` on routes of the interface',
      Rails: 'answer the format json in the failure app of Devise',
      'ASP.NET Core': '`OnRedirectToLogin` of the cookie options',
      Laravel: '`redirectGuestsTo(fn () => null)`, or `Accept: application/json` set by a middleware',
      Symfony: 'an `entry_point` of the firewall that answers 401',
    },
  },
  {
    came: [301, 302, 303, 307, 308],
    redirectsTo: 'https',
    fix: 'Give the run the base URL with https: the target redirects there.',
  },
  {
    sent: keyless,
    came: [403],
    place: 'challenge',
    fix: 'Answer 401 where the key is missing or invalid. Many frameworks answer 403 if no authentication scheme is there to challenge with.',
    where: {
      'Django REST framework': 'return a scheme from `authenticate_header` of the first authentication class',
      'Spring Boot': '`exceptionHandling().authenticationEntryPoint(new HttpStatusEntryPoint(UNAUTHORIZED))`',
      FastAPI: '`APIKeyHeader(auto_error=False)`, and raise 401 yourself',
      NestJS: 'throw UnauthorizedException in the guard: a guard that returns false is answered 403',
    },
  },
  {
    sent: ['path value', 'prototype name', 'encoded value'],
    came: [401, 403],
    byOthers: false,
    fix: 'Answer 404 where nothing is found, as the same call to a known resource is not refused. Look for a guard that is asked where a look-up finds nothing, or for a rule that covers paths which are not known. A proxy may refuse some values as well (Apache: `ProxyPass … nocanon` in place of a RewriteRule with [P], which refuses an encoded question mark).',
  },
  {
    sent: keyless,
    came: [400, 404, 405, 409, 415, 422],
    fix: 'Authenticate first, before the route, the body or the resource is looked at, and refuse with 401.',
  },
  {
    sent: ['key without scope'],
    came: [401, 404],
    fix: 'Answer 403 where the key is good and lacks the scope, before the resource is looked up.',
  },
  {
    sent: ['valid call'],
    came: [404],
    byOthers: true,
    fix: 'The router knows no such route: compare method and path with the 25 of the contract, and the base URL with the prefix that the gateway strips.',
  },
  {
    sent: ['valid call'],
    came: [404, 410],
    comesAndGoes: false,
    plain: true,
    ofIssued: true,
    fix: '{issued}, but the service does not find it: check how its expiry is computed (seconds or milliseconds?), whether the create stored it, and whether all instances share that store.',
  },
  {
    sent: ['valid call'],
    came: [400],
    comesAndGoes: false,
    plain: true,
    fix: 'The service refuses the valid call{words}: correct the values and the body in the target file if they are wrong, or else the rule of validation that refuses them. It may ask for a header or a field that the contract does not require.',
  },
  {
    sent: ['valid call'],
    came: [405],
    fix: 'The path has a route, but not for {method}: register the operation under {method}.',
  },
  {
    came: [405],
    fix: 'The router refuses the call before the operation sees it. Answer 404 in place of 405.',
  },
  {
    came: [406],
    place: 'content negotiation',
    fix: 'Answer JSON whatever Accept says: switch off content negotiation.',
    where: {
      'Django REST framework': 'a DEFAULT_CONTENT_NEGOTIATION_CLASS that returns the first renderer',
      'Spring Boot': '`ignoreAcceptHeader(true)` of the ContentNegotiationConfigurer',
      Rails: '`defaults: { format: :json }` on the routes',
    },
  },
  {
    came: [411],
    place: 'length of bodies',
    fix: 'Take bodies without Content-Length: HTTP/1.1 allows Transfer-Encoding: chunked.',
  },
  {
    came: [413],
    place: 'size of bodies',
    fix: 'Raise the limit on the size of a body, or answer 400 where it is exceeded. Errors of the body parser often pass by the handler of the other errors: catch all errors there.',
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
        '`app.useBodyParser("json", { limit: … })`, and `@Catch()` without a class in the global filter, for errors of the body parser are no HttpException',
    },
  },
  {
    came: [422],
    place: 'validator',
    fix: 'Answer 400 to a body or value that is not valid: 422 is the default of the framework or its validator.',
    where: {
      FastAPI: 'an `exception_handler(RequestValidationError)`',
      NestJS: 'no `errorHttpStatusCode: 422` in the ValidationPipe',
      Laravel: 'render ValidationException with 400',
      Symfony: '`#[MapRequestPayload(validationFailedStatusCode: 400)]`',
      Rails: '`rescue_from ActionController::ParameterMissing` and no `status: :unprocessable_entity`',
    },
  },
  {
    came: [414],
    place: 'length of targets',
    fix: 'Raise the limit on the length of the request line to 8,000 octets, or answer 400 or 404 where it is exceeded.',
    where: { gunicorn: '`--limit-request-line 8190`' },
  },
];
