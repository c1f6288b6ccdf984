import { getContext } from "#server/context";
import { answerAuthorize } from "#server/oauth/authorize/http";
import { internalPeer } from "#server/platform/internal-peer";

const ask = async (request: Request) =>
  answerAuthorize(await getContext(), request, { address: internalPeer(request.headers) });

// HEAD and OPTIONS are named because Next would answer them by calling GET or by itself.
export { ask as DELETE, ask as GET, ask as HEAD, ask as OPTIONS, ask as PATCH, ask as POST, ask as PUT };
