import type { PortalUser } from "../../actor";
import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { requestFailure } from "../request-failure";
import type { AuthorizationRequest } from "./authorization-request";
import { issueCode } from "./issue-code";
import { closeRequest } from "./store";

/**
 * Answers a request from a consent that the player gave before. A consent that ends at this very moment leaves a code that
 * opens nothing.
 * @param approval.requestId the parked request to close, if it was parked
 * @returns the address that takes the code to the client
 * @throws RequestFailure "decided" when the parked request was answered meanwhile
 */
export async function approveRemembered(
  ctx: Context,
  approval: {
    readonly request: AuthorizationRequest;
    readonly requestId?: string;
    readonly user: PortalUser;
    readonly consent: { readonly id: string; readonly until: Date | null };
    readonly origin: Origin;
  },
): Promise<string> {
  const { requestId } = approval;
  return ctx.database.transaction(async (tx) => {
    if (requestId !== undefined && !(await closeRequest(tx, requestId, ctx.now()))) throw requestFailure("decided");
    return issueCode(ctx, tx, approval);
  });
}
