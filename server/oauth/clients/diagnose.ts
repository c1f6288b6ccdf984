import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { authorizationPath } from "#server/machine-path";
import { instantOf } from "#server/platform/ids";
import { portalRefusal } from "#server/portal-refusal";
import { type Examination, examineParameters } from "../authorize/examine-parameters";
import { type CallbackError, callbackErrors } from "../authorize/read-callback";
import { findFailedAttempt, findSuccess } from "./calls/attempts-store";
import type { FailedAttempt, LoggedCall, SucceededAct } from "./calls/log-entries";
import { findCallById, windowOf, withPlayers } from "./calls/show-calls";
import {
  type ExaminedCall,
  type ExaminedToken,
  examineCall,
  examineSecret,
} from "./examine-pasted";
import {
  type MaskedSecret,
  maskSecrets,
  type OtherEndpoint,
  readErrorBody,
  readMaskedSecret,
  readOtherEndpoint,
  readPasted,
  readPastedCall,
  readRequestId,
} from "./read-pasted";
import { type NamedApplication, nameApplicationsOf } from "./store";

type Named = Pick<NamedApplication, "clientId" | "name">;

export type Diagnosis =
  | { readonly kind: "unreadable" }
  | { readonly kind: "endpoint"; readonly endpoint: OtherEndpoint }
  | {
      readonly kind: "secret";
      readonly secret: MaskedSecret;
      readonly application: Named | null;
      readonly token: ExaminedToken | null;
    }
  | (ExaminedCall & { readonly kind: "api-call"; readonly application: Named | null })
  | {
      readonly kind: "callback";
      readonly error: CallbackError | null;
      /** Its `iss` is ours (RFC 9207). */
      readonly isOurs: boolean;
    }
  | { readonly kind: "no-own-application"; readonly clientId: string | null }
  | (Examination & {
      readonly kind: "request";
      readonly application: Named;
      readonly addressFault: string | null;
    })
  | {
      readonly kind: "no-such-call";
      /** Its log line may not be written yet. */
      readonly isNew: boolean;
      /** The request was never logged, because logs of this time are kept. */
      readonly made: Date | null;
    }
  | {
      readonly kind: "error-body";
      readonly code: number | string;
      readonly description: string | null;
    }
  | { readonly kind: "call"; readonly application: Named; readonly call: LoggedCall }
  | {
      readonly kind: "nobodys-call";
      readonly call: Pick<LoggedCall, "at" | "method" | "route" | "status" | "failureCode">;
    }
  | {
      readonly kind: "attempt";
      readonly application: Named | null;
      readonly attempt: FailedAttempt;
    }
  | {
      readonly kind: "success";
      readonly application: Named;
      readonly act: SucceededAct;
      readonly at: Date;
    };

const mostSearched = 1_000;

/** Per clock minute. An id without its time costs a search through a week of the log. */
const questionsAMinute = 20;

/** @throws PortalRefusal TOO_MANY_QUESTIONS */
export async function askDoctor(ctx: Context, user: PortalUser, text: string): Promise<Diagnosis> {
  const { allowed, reset } = await ctx.limiter.take({
    policy: "doctor-questions",
    subject: user.accountId,
    limit: questionsAMinute,
  });
  if (!allowed)
    throw portalRefusal({
      status: 429,
      reason: "TOO_MANY_QUESTIONS",
      message: `You can check ${questionsAMinute} times a minute. Try again in ${reset} s.`,
      retryAfter: reset,
    });
  return diagnose(ctx, user, text);
}

/** Nothing is called, and other developers' applications stay hidden. */
export async function diagnose(ctx: Context, user: PortalUser, text: string): Promise<Diagnosis> {
  const asked = maskSecrets(ctx.keyring, text.trim());
  const own = await nameApplicationsOf(ctx.database.query, {
    accountId: user.accountId,
    right: "requests",
    limit: mostSearched,
  });
  const requestId = readRequestId(asked);
  if (requestId !== undefined) return tellRequest(ctx, own, requestId);
  const call = readPastedCall(asked, ctx.settings.baseUrl);
  if (!call) return examine(ctx, own, asked);
  const clientIds = own.map(({ clientId }) => clientId);
  const examined = await examineCall(ctx, { call, clientIds });
  return { kind: "api-call", ...examined, application: namedOf(own, examined.token?.clientId) };
}

function namedOf(own: readonly Named[], clientId: string | null | undefined): Named | null {
  const found = own.find((each) => each.clientId === clientId);
  return found ? { clientId: found.clientId, name: found.name } : null;
}

async function examine(ctx: Context, own: readonly Named[], text: string): Promise<Diagnosis> {
  const endpoint = readOtherEndpoint(text, ctx.settings.baseUrl);
  if (endpoint) return { kind: "endpoint", endpoint };
  const pasted = readPasted(text);
  const secret = pasted ? undefined : readMaskedSecret(ctx.keyring, text);
  if (secret) {
    const token = await examineSecret(ctx, secret);
    const application = namedOf(own, token?.clientId);
    return { kind: "secret", secret, application, token: (application && token) ?? null };
  }
  const answer = pasted ? undefined : readErrorBody(text);
  if (answer) return { kind: "error-body", ...answer };
  if (!pasted) return { kind: "unreadable" };
  const { address, parameters } = pasted;
  if (!parameters.has("client_id") && (parameters.has("code") || parameters.has("error"))) {
    const sent = parameters.get("error");
    const error = sent === null ? null : (callbackErrors.find((word) => word === sent) ?? "other");
    return { kind: "callback", error, isOurs: parameters.get("iss") === ctx.settings.baseUrl };
  }
  const clientIds = parameters.getAll("client_id");
  const application = clientIds.length === 1 ? namedOf(own, clientIds[0]) : null;
  const client = application && (await ctx.tokens.findClient(application.clientId));
  if (!application || !client)
    return { kind: "no-own-application", clientId: clientIds[0] ?? null };
  const authorize = `${ctx.settings.baseUrl}${authorizationPath}`;
  return {
    kind: "request",
    application,
    addressFault:
      address === "" || address === authorize ? null : `The address must be ${authorize}.`,
    ...examineParameters(parameters, client, ctx.settings.baseUrl),
  };
}

/** Only the caller knows a request id, so it gives access to a call without a known token. */
async function tellRequest(
  ctx: Context,
  own: readonly Named[],
  requestId: string,
): Promise<Diagnosis> {
  const clientIds = own.map(({ clientId }) => clientId);
  const line = await findCallById(ctx, clientIds, requestId);
  const caller = line && namedOf(own, line.clientId);
  if (line && caller) {
    const [call] = await withPlayers(ctx, caller.clientId, [line]);
    if (call) return { kind: "call", application: caller, call };
  }
  if (line) {
    const { at, method, route, status, failureCode } = line;
    return { kind: "nobodys-call", call: { at, method, route, status, failureCode } };
  }
  const asked = { clientIds, requestId, ...windowOf(ctx, requestId) };
  const attempt = await findFailedAttempt(ctx.database.query, asked);
  if (attempt) {
    return { kind: "attempt", application: namedOf(own, attempt.clientId), attempt };
  }
  const done = await findSuccess(ctx.database.query, asked);
  const doer = done && namedOf(own, done.clientId);
  return done && doer
    ? { kind: "success", application: doer, act: done.act, at: done.at }
    : {
        kind: "no-such-call",
        isNew: isJustMade(ctx, requestId),
        made: (asked.exact && instantOf(requestId)) || null,
      };
}

/** Milliseconds; lines are written in batches. */
const longestUnwritten = 5_000;

function isJustMade(ctx: Context, requestId: string): boolean {
  const made = instantOf(requestId)?.getTime() ?? 0;
  return Math.abs(ctx.now().getTime() - made) < longestUnwritten;
}
