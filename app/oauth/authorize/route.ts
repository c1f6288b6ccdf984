import { getContext } from "#server/context";
import { answerAuthorize } from "#server/oauth/authorize/http";
import { internalPeer } from "#server/platform/internal-peer";

const answer = async (request: Request) =>
  answerAuthorize(await getContext(), request, { address: internalPeer(request.headers) });

// HEAD and OPTIONS are named because Next would answer them by calling GET or by itself.
export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
