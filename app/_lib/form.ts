import { isCrossSite } from "#server/auth/csrf";
import type { Context } from "#server/context";
import { serializeError } from "#server/platform/errors";
import { formMediaType, mediaType, readLimitedText } from "#server/platform/limited-text";
import { createCaller } from "#server/portal/router";
import {
  createPortalContext,
  hasValidCsrfToken,
  type PortalContext,
  requestSourceOf,
} from "#server/trpc/portal-context";
import { isTrpcError, type Refusal, refusalOf } from "#server/trpc/refusal";
import { csrfField } from "./csrf";
import {
  describeRefusal,
  type MessagePage,
  reauthPathOf,
  renderMessagePage,
  unreadableFormPage,
} from "./form-page";
import { serverContext } from "./server-context";

type Segments = Readonly<Record<string, string | undefined>>;

/** A form's values. Segments of its address override fields; an empty value counts as absent. */
export interface SentForm {
  /** First value of a name. */
  readonly get: (name: string) => string | undefined;
  readonly getAll: (name: string) => readonly string[];
  /** NaN unless it is a whole number. */
  readonly number: (name: string) => number;
}

/** The caller with unparsed inputs, because only the procedure's schema parses them. */
type Portal = Unparsed<ReturnType<typeof createCaller>>;
type Unparsed<Router> = {
  readonly [Noun in keyof Router]: {
    readonly [Verb in keyof Router[Noun]]: Router[Noun][Verb] extends (
      ...input: infer Input
    ) => infer Answer
      ? (...input: { [At in keyof Input]: { [Name in keyof Input[At]]: unknown } }) => Answer
      : never;
  };
};

interface FormOptions<Result> {
  /**
   * Page to return to after a sign-in or confirmation, and after the form unless `done` or
   * `refused` differ. `[name]` is replaced by that segment of the form's address.
   */
  readonly page?: string | ((segments: Segments) => string);
  /** Fields that refill the form after a sign-in, confirmation or refusal, important ones first. */
  readonly typed?: readonly string[];
  /** Returns undefined if the form names no known act. */
  readonly procedure: (portal: Portal, sent: SentForm) => Promise<Result> | undefined;
  /** The address or query to redirect to, or the answer itself: data, a file or a page. */
  readonly done?: string | ((result: Result, sent: SentForm) => string | Response | MessagePage);
  /**
   * Maps a field, reason or failure code to a word for `?error=`, or a refusal to an address.
   * Refusals that are not mapped show the refusal page.
   */
  readonly refused?:
    | Readonly<Record<string, string>>
    | ((why: Refusal, sent: SentForm) => string | undefined);
  /** False for sign-in forms: without a session, only the origin is checked. */
  readonly token?: false;
}

const largestForm = 256 * 1024;
/** The largest form has a box per role of a chat server. */
const mostFields = 1_000;

/** Makes the POST of a route file, so that a plain form can call a procedure. */
export const formHandler =
  <Result>(options: FormOptions<Result>) =>
  async (request: Request, address?: { params: Promise<Segments> }): Promise<Response> => {
    const context = await serverContext();
    const { baseUrl } = context.settings;
    const refuse = (refusal: MessagePage) => renderMessagePage(refusal, request);
    if (isCrossSite(request.headers, baseUrl)) return refuse(foreign(baseUrl));
    if (mediaType(request.headers) !== formMediaType)
      return refuse({ ...unreadableFormPage, status: 415 });
    const body = await readLimitedText(request, largestForm);
    if (body === undefined)
      return refuse({
        ...unreadableFormPage,
        status: 413,
        sentence: "The form is larger than 256 KB.",
      });
    // Fields are counted before parsing, because each costs far more than its letters.
    if (holdsMore(body, "&", mostFields)) return refuse(unreadableFormPage);

    const segments = (await address?.params) ?? {};
    const sent = readSent(new URLSearchParams(body), segments);
    const page = pageAt(options.page, segments);
    const onPage = (to: string) => (to === "" || to.startsWith("?") ? `${page ?? "/"}${to}` : to);
    const query = queryOf(sent, options.typed ?? []);
    const back = page && query ? `${page}?${query}` : page;
    const act = async (portal: PortalContext, cookies: readonly string[]): Promise<Response> => {
      if (options.token !== false && !hasValidCsrfToken(portal, sent.get(csrfField) ?? null))
        return refuse(foreign(back ?? baseUrl));
      const called = options.procedure(createCaller(portal) as Portal, sent);
      if (!called) return refuse(unreadableFormPage);
      const result = await called;
      const { done = "" } = options;
      const to = typeof done === "function" ? done(result, sent) : done;
      if (to instanceof Response) return withCookies(to, cookies);
      if (typeof to !== "string") return refuse(to);
      return seeOther(onPage(to), cookies);
    };
    const refused = (why: Refusal) => {
      const { refused: ways = {} } = options;
      const to = typeof ways === "function" ? ways(why, sent) : errorAddress(ways, why);
      return to === undefined
        ? undefined
        : onPage(query && to.startsWith("?") ? `${to}&${query}` : to);
    };
    return answerPortalRequest(request, { context, page: back, act, refused });
  };

const pageAt = (page: FormOptions<never>["page"], segments: Segments): string | undefined =>
  typeof page === "function"
    ? page(segments)
    : page?.replace(/\[(\w+)\]/g, (_, name: string) => encodeURIComponent(segments[name] ?? ""));

function errorAddress(
  words: Readonly<Record<string, string>>,
  { field, reason, code }: Refusal,
): string | undefined {
  const known = [field, reason, code].find((key) => key !== undefined && Object.hasOwn(words, key));
  return known === undefined ? undefined : `?error=${words[known]}`;
}

/** Characters. Proxies refuse long addresses. */
const longestQuery = 3_800;

function queryOf(sent: SentForm, names: readonly string[]): string {
  const kept = new URLSearchParams();
  for (const name of names)
    for (const value of sent.getAll(name)) {
      const longer = new URLSearchParams([...kept, [name, value]]);
      if (longer.toString().length <= longestQuery) kept.append(name, value);
    }
  return kept.toString();
}

interface Visit {
  readonly context: Context;
  /** A sign-in, confirmation or refusal returns to this address. */
  readonly page?: string | undefined;
  /** Gets the sender's portal context, and the procedures' Set-Cookie lines. */
  readonly act: (portal: PortalContext, cookies: readonly string[]) => Promise<Response>;
  /** Address for other errors; undefined shows the refusal page. */
  readonly refused?: (why: Refusal) => string | undefined;
}

/** Errors become a redirect to sign-in or confirmation, or a page with our own texts only. */
export async function answerPortalRequest(
  request: Request,
  { context, page, act, refused }: Visit,
): Promise<Response> {
  const { headers } = request;
  const from = requestSourceOf(headers, context);
  const { requestId } = from;
  const cookies: string[] = [];
  try {
    const portal = await createPortalContext(context, {
      headers,
      from,
      setCookie: (line) => cookies.push(line),
    });
    return await act(portal, cookies);
  } catch (thrown) {
    const why = refusalOf(thrown);
    const way = reauthPathOf(why, page);
    if (way) return seeOther(way);
    // Procedures log their own errors; the session lookup's errors are logged only here.
    const ofProcedure = isTrpcError(thrown);
    const to = ofProcedure ? refused?.(why) : undefined;
    if (to !== undefined) return seeOther(to, cookies);
    if (!ofProcedure)
      context.log.error({ requestId, error: serializeError(thrown) }, "a form was not carried out");
    const on = page === undefined ? undefined : { href: page, text: "Go back to the page" };
    return renderMessagePage({ on, ...describeRefusal(why, requestId) }, request);
  }
}

function readSent(fields: URLSearchParams, segments: Segments): SentForm {
  const get = (name: string) => (segments[name] ?? fields.get(name)) || undefined;
  return {
    get,
    getAll: (name) => fields.getAll(name).filter((text) => text !== ""),
    number: (name) => (/^\d{1,15}$/.test(get(name)?.trim() ?? "") ? Number(get(name)) : Number.NaN),
  };
}

function holdsMore(text: string, sign: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(sign); at !== -1 && count <= most; at = text.indexOf(sign, at + 1))
    count += 1;
  return count > most;
}

/** @param href next step, such as the form's page, which has the new session's token */
const foreign = (href: string): MessagePage => ({
  status: 403,
  title: "This form was not accepted",
  sentence:
    "It was not sent from a page of this site, or you signed in again since. Open the page again and retry.",
  on: { href, text: "Open the page again" },
});

function withCookies(answer: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) answer.headers.append("set-cookie", cookie);
  return answer;
}

/** 303 after a form (RFC 9110 section 15.4.4). */
export function seeOther(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({
    location,
    "cache-control": "no-store",
    // A form target's address says what was done; the next site must not see it.
    "referrer-policy": "no-referrer",
  });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}

export const fileAnswer = (
  text: string,
  { name, type }: { name: string; type: string },
): Response =>
  new Response(text, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
