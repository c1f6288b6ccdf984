import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { isRequestId } from "#server/platform/ids";
import { type Examination, examineParameters } from "../authorize/examine-parameters";
import type { FailedAttempt } from "./attempts/failed-attempt";
import { findFailedAttempt } from "./attempts/store";
import { statisticsSince } from "./count-limits";
import { type NamedApplication, nameOwnApplications } from "./store";
import { findCall } from "./traffic/store";
import type { LoggedCall } from "./traffic/traffic";

type Named = Pick<NamedApplication, "clientId" | "name">;

/** What was found out about a pasted address or request id. */
export type Diagnosis =
  | { readonly kind: "unreadable" }
  | { readonly kind: "no-own-application"; readonly clientId: string | null }
  | (Examination & { readonly kind: "request"; readonly application: Named; readonly addressFault: string | null })
  | { readonly kind: "no-such-call" }
  | { readonly kind: "call"; readonly application: Named; readonly call: LoggedCall }
  | { readonly kind: "attempt"; readonly application: Named; readonly attempt: FailedAttempt };

/** The newest applications are looked at; a developer may have far fewer. */
const mostSearched = 1_000;

/**
 * Judges an authorization URL of one of the user's own applications parameter by parameter, or tells what became of one of
 * their calls by its request id. Nothing is sent or started, and of another's application nothing is told.
 */
export async function diagnose(ctx: Context, user: PortalUser, text: string): Promise<Diagnosis> {
  const asked = text.trim();
  const own = await nameOwnApplications(ctx.database.query, { ownerId: user.accountId, limit: mostSearched });
  return isRequestId(asked) ? tellRequest(ctx, own, asked) : examine(ctx, own, asked);
}

async function examine(ctx: Context, own: readonly Named[], text: string): Promise<Diagnosis> {
  const mark = text.indexOf("?");
  if (mark < 0) return { kind: "unreadable" };
  const parameters = new URLSearchParams(text.slice(mark + 1).replace(/#.*$/, ""));
  const clientIds = parameters.getAll("client_id");
  const application = own.find(({ clientId }) => clientIds.length === 1 && clientId === clientIds[0]);
  const client = application && (await ctx.findClient(application.clientId));
  if (!application || !client) return { kind: "no-own-application", clientId: clientIds[0] ?? null };
  const endpoint = `${ctx.settings.baseUrl}/oauth/authorize`;
  const address = text.slice(0, mark);
  return {
    kind: "request",
    application: named(application),
    addressFault: address === "" || address === endpoint ? null : `The address must be ${endpoint}.`,
    ...examineParameters(parameters, client, ctx.settings.baseUrl),
  };
}

async function tellRequest(ctx: Context, own: readonly Named[], requestId: string): Promise<Diagnosis> {
  if (own.length === 0) return { kind: "no-such-call" };
  const since = statisticsSince(ctx.now());
  const asked = { clientIds: own.map(({ clientId }) => clientId), requestId, since };
  const applicationOf = (clientId: string | null) => own.find((each) => each.clientId === clientId);
  const call = await findCall(ctx.database.query, asked);
  const caller = call && applicationOf(call.clientId);
  if (call && caller) return { kind: "call", application: named(caller), call };
  const attempt = await findFailedAttempt(ctx.database.query, asked);
  const trier = attempt && applicationOf(attempt.clientId);
  return attempt && trier ? { kind: "attempt", application: named(trier), attempt } : { kind: "no-such-call" };
}

const named = ({ clientId, name }: Named): Named => ({ clientId, name });
