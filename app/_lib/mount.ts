import { answer } from "#server/answer";
import { getContext } from "#server/context";
import { internalPeer } from "#server/platform/internal-peer";

/**
 * Mounts the machine-facing surface as a Next route handler. The answer is rebuilt as the platform's own Response, which
 * Next insists on; the one that dispatch makes is a lighter kind for the production server.
 */
export async function mount(request: Request): Promise<Response> {
  const said = await answer(await getContext(), request, { address: internalPeer(request.headers) });
  return new Response(said.body, { status: said.status, headers: said.headers });
}
