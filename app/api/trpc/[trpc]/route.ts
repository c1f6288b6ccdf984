import { getContext } from "#server/context";
import { internalPeer } from "#server/platform/internal-peer";
import { answerPortalCall } from "#server/trpc/http";

const call = async (request: Request) => answerPortalCall(await getContext(), request, internalPeer(request.headers));

// Other methods are refused in JSON there; Next's own refusal would be empty.
export { call as DELETE, call as GET, call as HEAD, call as OPTIONS, call as PATCH, call as POST, call as PUT };
