import { answer } from "#server/answer";
import type { Context } from "#server/context";
import { getContext } from "#server/create-context";
import { refuseForeignHost } from "#server/platform/foreign-host";
import { peerAddress, requestIdGiven } from "#server/platform/peer-address";
import type { Peer } from "#server/rest/request-context";

type Handle = (ctx: Context, request: Request, peer: Pick<Peer, "address" | "requestId">) => Promise<Response>;

/** Makes a Next route handler of a function of the server's: with the peer as this mount knows it, and for our host alone. */
export const routeHandler =
  (handle: Handle) =>
  async (request: Request): Promise<Response> => {
    const ctx = await getContext();
    const { headers } = request;
    const requestId = requestIdGiven(headers) ?? ctx.ids.request();
    const refused = refuseForeignHost(request, ctx.settings, requestId);
    return refused ?? handle(ctx, request, { address: peerAddress(headers, ctx.settings), requestId });
  };

/**
 * Mounts the machine-facing surface as a Next route handler. The answer is rebuilt as the platform's own Response, which
 * Next insists on; the one that dispatch makes is a lighter kind for the production server.
 */
export const mount = routeHandler(async (ctx, request, peer) => {
  const said = await answer(ctx, request, peer);
  return new Response(said.body, { status: said.status, headers: said.headers });
});
