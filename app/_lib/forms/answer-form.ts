import { isCrossSite, isCsrfToken } from "#server/auth/csrf";
import type { Context } from "#server/context";
import { getContext } from "#server/create-context";
import { describeError } from "#server/platform/describe-error";
import { peerAddress } from "#server/platform/internal-peer";
import { readLimitedText } from "#server/platform/limited-text";
import type { PortalContext } from "#server/trpc/init";
import { createPortalContext } from "#server/trpc/portal-context";
import { errorCode, failureBehind, isPortalError, refusalBehind } from "#server/trpc/refusal";
import { createCaller } from "#server/trpc/router";
import { requestIdOf } from "../caller";
import { confirmPath } from "../confirm-path";
import { csrfField } from "../csrf";
import { type SignInQuery, signInPath } from "../sign-in-path";
import { type FormRefusal, refusedForm, seeOther } from "./form-answer";

/** A form post that was found to come from a page of ours. */
export interface Form {
  /** A field's value; null where it is missing or empty. Of several the first counts. */
  field(name: string): string | null;
  /** All values of a field, as boxes that share a name send them. */
  fields(name: string): string[];
  /** The portal's procedures, called as the sender of the form. */
  readonly caller: ReturnType<typeof createCaller>;
}

export interface FormOptions {
  /** Whether the form must carry the session's token; the sign-in form has no session yet. */
  readonly token: boolean;
  /** Where a user comes back to who must sign in, or confirm who they are, for this. */
  readonly signIn: SignInQuery;
  /** Acts, and gives the address to go on to, or a file to keep. What it throws is answered here. */
  readonly act: (form: Form) => Promise<string | Response>;
}

const largestForm = 256 * 1024;
/** The largest has a box for each role of a chat server. */
const mostFields = 1_000;

/** Answers the POST of a plain HTML form: the one way into the procedures for pages that run without script. */
export async function answerForm(request: Request, duty: FormOptions): Promise<Response> {
  const context = await getContext();
  const { baseUrl } = context.settings;
  const refuse = (refusal: FormRefusal) => refusedForm(refusal, request.headers.get("x-nonce"));
  if (isCrossSite(request.headers, baseUrl)) return refuse(foreign(baseUrl));
  if (!isFormType(request.headers)) return refuse({ ...unreadable, status: 415 });
  const body = await readLimitedText(request, largestForm);
  if (body === undefined) return refuse({ ...unreadable, status: 413, sentence: "The form is larger than 256 KB." });

  // Counted before they are read: each costs far more than its letters.
  if (holdsMore(body, "&", mostFields)) return refuse(unreadable);

  const requestId = requestIdOf(request.headers, context.ids);
  try {
    return await executeForm({ context, request, requestId, fields: new URLSearchParams(body), duty, refuse });
  } catch (thrown) {
    return answerThrown(thrown, { context, request, requestId, signIn: duty.signIn });
  }
}

/** Answers with a page, or with the way to the sign-in, when a procedure threw. Nothing but our own words leaves. */
export function answerThrown(
  thrown: unknown,
  {
    context,
    request,
    requestId,
    signIn,
  }: Pick<Work, "context" | "request" | "requestId"> & Pick<FormOptions, "signIn">,
): Response {
  const refusal = refusalBehind(thrown);
  if (mustSignIn(thrown, refusal?.reason)) return seeOther(signInPath(signIn));
  if (refusal?.reason === "CONFIRMATION_WANTED") return seeOther(confirmPath(signIn));
  if (refusal?.reason === "SECOND_FACTOR_WANTED") return seeOther("/admin");
  // What a procedure threw was logged there; the session's look-up stands outside of them.
  if (!isPortalError(thrown))
    context.log.error({ requestId, error: describeError(thrown) }, "a form was not carried out");
  const retryAfter = failureBehind(thrown)?.retryAfter ?? refusal?.retryAfter;
  const words = { ...plainWords(thrown, requestId), retryAfter };
  return refusedForm(words, request.headers.get("x-nonce"));
}

interface Work {
  readonly context: Context;
  readonly request: Request;
  readonly requestId: string;
  readonly fields: URLSearchParams;
  readonly duty: FormOptions;
  readonly refuse: (refusal: FormRefusal) => Response;
}

async function executeForm({ context, request, requestId, fields, duty, refuse }: Work): Promise<Response> {
  const cookies: string[] = [];
  const portal = await portalOf({ context, request, requestId }, cookies);
  const field = (name: string) => fields.get(name) || null;
  if (duty.token && !carriesToken(portal, field(csrfField))) return refuse(foreign(context.settings.baseUrl));
  const done = await duty.act({ field, fields: (name) => fields.getAll(name), caller: createCaller(portal) });
  return typeof done === "string" ? seeOther(done, cookies) : done;
}

/** The portal as the sender of the request. @param cookies takes the Set-Cookie lines for the answer */
export const portalOf = (
  { context, request, requestId }: Pick<Work, "context" | "request" | "requestId">,
  cookies: string[],
): Promise<PortalContext> =>
  createPortalContext(context, {
    cookies: request.headers.get("cookie"),
    userAgent: request.headers.get("user-agent"),
    origin: { requestId, address: peerAddress(request.headers, context.settings) },
    setCookie: (line) => cookies.push(line),
  });

const mustSignIn = (thrown: unknown, reason: string | undefined): boolean =>
  reason === "SIGN_IN_STALE" || (reason === undefined && errorCode(thrown) === "UNAUTHORIZED");

function plainWords(thrown: unknown, requestId: string): FormRefusal {
  const message = refusalBehind(thrown)?.message;
  const failure = failureBehind(thrown);
  if (failure) return { status: failure.kind.status, title: "That did not work", sentence: failure.message };
  switch (errorCode(thrown)) {
    case "BAD_REQUEST":
      return unreadable;
    case "UNAUTHORIZED":
      return { status: 403, title: "Sign-in refused", sentence: message ?? "Sign in first." };
    case "NOT_FOUND":
      return { status: 404, title: "There is no page at this address", sentence: "It may have moved." };
    case "TOO_MANY_REQUESTS":
      return { status: 429, title: "Too many tries", sentence: message ?? "Wait a minute and try again." };
    default:
      return {
        status: 500,
        title: "That did not work",
        sentence: `Something went wrong. Quote this request id when you report it: ${requestId}`,
      };
  }
}

/** Nobody is signed in: there is no session to ride on, and every act that needs one asks for the sign-in first. */
const carriesToken = ({ context, user, sessionToken }: PortalContext, token: string | null): boolean =>
  user === null || isCsrfToken(context.keyring, sessionToken, token);

function holdsMore(text: string, sign: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(sign); at !== -1 && count <= most; at = text.indexOf(sign, at + 1)) count += 1;
  return count > most;
}

const isFormType = (headers: Headers): boolean =>
  headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() === "application/x-www-form-urlencoded";

const unreadable = {
  status: 400,
  title: "This form cannot be read",
  sentence: "Go back, reload the page and try again.",
};

const foreign = (baseUrl: string): FormRefusal => ({
  status: 403,
  title: "This form was not accepted",
  sentence:
    "It was not sent from a page of this site, or the page is from an earlier sign-in. Open the page again and retry.",
  on: { href: baseUrl, text: "Open Adjutant" },
});
