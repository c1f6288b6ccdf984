import { getContext } from "#server/context";
import { internalPeer } from "#server/platform/internal-peer";
import { answerPortalCall } from "#server/trpc/http";

const answer = async (request: Request) => answerPortalCall(await getContext(), request, internalPeer(request.headers));

export { answer as GET, answer as POST };
