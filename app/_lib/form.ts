import { TRPCError } from "@trpc/server";
import type { z } from "zod";
import { isCrossSite } from "#server/auth/csrf";
import type { Context } from "#server/context";
import { failureOf } from "#server/failure-of";
import { describeError } from "#server/platform/errors";
import { readLimitedText } from "#server/platform/limited-text";
import { createCaller } from "#server/portal/router";
import {
  carriesToken,
  createPortalContext,
  type PortalContext,
  sourceOf,
} from "#server/trpc/portal-context";
import { isPortalError } from "#server/trpc/refusal";
import { csrfField } from "./csrf";
import { type Draft, draftLine, draftOf } from "./draft";
import {
  type FormPage,
  formPage,
  type Refused,
  refusalPage,
  refusedBy,
  unreadable,
  wayOut,
} from "./form-page";
import { serverContext } from "./server-context";

type Portal = ReturnType<typeof createCaller>;
type Segments = Readonly<Record<string, string | undefined>>;

/** A form that works without script. */
export interface FormOptions<Fields extends z.ZodObject, Result> {
  /**
   * The form's page. Sign-ins and confirmations return to it, and so does the form, unless `done`
   * or `refused` differ.
   */
  readonly page?: string | ((segments: Segments) => string);
  /** Query that refills the form after a sign-in, confirmation or refusal. */
  readonly typed?: (fields: z.output<Fields>) => Readonly<Record<string, string>>;
  /**
   * Keeps `typed` in a cookie instead of the query until the form succeeds; a form without `typed`
   * drops it.
   */
  readonly draft?: Draft;
  /**
   * Schema for form fields and path segments. An array takes all values of a name, otherwise the
   * first counts; empty values are absent.
   */
  readonly fields: Fields;
  /** The procedure's schema validates the values. */
  readonly procedure: (portal: Portal, fields: z.output<Fields>) => Promise<Result>;
  /**
   * An address, or only the query; or data, a file, or a page such as a refusal or a one-time
   * secret.
   */
  readonly done?:
    | string
    | ((result: Result, fields: z.output<Fields>) => string | Response | FormPage);
  /** Address for a refusal that the page explains itself; undefined shows the refusal page. */
  readonly refused?: (why: Refused, fields: Partial<z.output<Fields>>) => string | undefined;
  /** False for sign-in forms, which have no session; the origin check covers them. */
  readonly token?: false;
}

const largestForm = 256 * 1024;
/** The largest form has a box per role of a chat server. */
const mostFields = 1_000;

/** The POST of a route file: script-free access to the procedures. */
export const form =
  <Fields extends z.ZodObject, Result>(options: FormOptions<Fields, Result>) =>
  async (request: Request, address?: { params: Promise<Segments> }): Promise<Response> => {
    const context = await serverContext();
    const { baseUrl } = context.settings;
    const refuse = (refusal: FormPage) => formPage(refusal, request);
    if (isCrossSite(request.headers, baseUrl)) return refuse(foreign(baseUrl));
    if (!isFormType(request.headers)) return refuse({ ...unreadable, status: 415 });
    const body = await readLimitedText(request, largestForm);
    if (body === undefined)
      return refuse({ ...unreadable, status: 413, sentence: "The form is larger than 256 KB." });
    // Counted before parsing: each field costs far more than its letters.
    if (holdsMore(body, "&", mostFields)) return refuse(unreadable);

    const sent = new URLSearchParams(body);
    const segments = (await address?.params) ?? {};
    const page = typeof options.page === "function" ? options.page(segments) : options.page;
    const onPage = (to: string) => (to === "" || to.startsWith("?") ? `${page ?? "/"}${to}` : to);
    const { data, error } = options.fields.safeParse(readFields(options.fields, sent, segments));
    const typed = Object.entries((data && options.typed?.(data)) ?? {});
    const query = options.draft ? "" : new URLSearchParams(typed).toString();
    let isDone = false;
    const act = async (portal: PortalContext, cookies: readonly string[]): Promise<Response> => {
      if (options.token !== false && !carriesToken(portal, sent.get(csrfField)))
        return refuse(foreign(page ?? baseUrl));
      if (!data) throw new TRPCError({ code: "BAD_REQUEST", cause: error });
      const result = await options.procedure(createCaller(portal), data);
      isDone = true;
      const { done = "" } = options;
      const to = typeof done === "function" ? done(result, data) : done;
      if (to instanceof Response) return withCookies(to, cookies);
      if (typeof to !== "string") return refuse(to);
      return seeOther(onPage(to), cookies);
    };
    const refused = (thrown: unknown) => {
      const to = options.refused?.(refusedBy(thrown), data ?? {});
      return to === undefined
        ? undefined
        : onPage(query && to.startsWith("?") ? `${to}&${query}` : to);
    };
    const back = page && query ? `${page}?${query}` : page;
    const answer = await answerVisit(request, { context, page: back, act, refused });
    if (!options.draft || !(isDone || typed.length > 0)) return answer;
    return withCookies(answer, [
      draftLine(options.draft, isDone ? "" : draftOf(typed), context.settings.https),
    ]);
  };

interface Visit {
  readonly context: Context;
  /** Where a sign-in, confirmation or refusal returns to. */
  readonly page?: string | undefined;
  /** Gets the sender's portal context, and the procedures' Set-Cookie lines. */
  readonly act: (portal: PortalContext, cookies: readonly string[]) => Promise<Response>;
  /** Address for other errors; undefined shows the refusal page. */
  readonly refused?: (thrown: unknown) => string | undefined;
}

/** Errors become a redirect to sign-in or confirmation, or a page with our own texts only. */
export async function answerVisit(
  request: Request,
  { context, page, act, refused }: Visit,
): Promise<Response> {
  const { headers } = request;
  const from = sourceOf(headers, context);
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
    const way = wayOut(thrown, page);
    if (way) return seeOther(way);
    // Procedure errors are already logged; the session lookup is outside of procedures.
    const ofProcedure = isPortalError(thrown);
    const to = ofProcedure ? refused?.(thrown) : undefined;
    if (to !== undefined) return seeOther(to, cookies);
    if (!ofProcedure)
      context.log.error({ requestId, error: describeError(thrown) }, "a form was not carried out");
    const on = page === undefined ? undefined : { href: page, text: "Go back to the page" };
    return formPage(
      { on, ...refusalPage(ofProcedure ? thrown : failureOf(thrown), requestId) },
      request,
    );
  }
}

/** Only declared fields. Path segments override form fields. */
function readFields(
  { shape }: z.ZodObject,
  sent: URLSearchParams,
  segments: Segments,
): Record<string, unknown> {
  const read = (name: string, { def }: z.core.$ZodType["_zod"]) =>
    segments[name] ?? (def.type === "array" ? sent.getAll(name) : sent.get(name) || undefined);
  return Object.fromEntries(
    Object.entries(shape).map(([name, type]) => [name, read(name, type._zod)]),
  );
}

function holdsMore(text: string, sign: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(sign); at !== -1 && count <= most; at = text.indexOf(sign, at + 1))
    count += 1;
  return count > most;
}

const isFormType = (headers: Headers): boolean =>
  headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ===
  "application/x-www-form-urlencoded";

/** @param href next step: after a sign-in in another tab, the form's page with a new token */
const foreign = (href: string): FormPage => ({
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

/** A download that no cache keeps. */
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
