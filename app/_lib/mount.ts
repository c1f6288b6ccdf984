import { answer, answerFailure } from "#server/answer";
import type { Context } from "#server/context";
import { failureOf, logFailure } from "#server/failure-of";
import { type Failure, ServiceUnavailable } from "#server/failures";
import { readSettings } from "#server/platform/env";
import { serializeError } from "#server/platform/errors";
import { refuseForeignHost } from "#server/platform/foreign-host";
import { createIds } from "#server/platform/ids";
import { jsonAnswer } from "#server/platform/json-answer";
import { createLog } from "#server/platform/log";
import { peerAddress, requestIdGiven } from "#server/platform/peer-address";
import type { RequestOrigin } from "#server/rest/request-context";
import { refusalOf } from "#server/trpc/refusal";
import { describeRefusal, renderMessagePage } from "./form-page";
import { serverContext } from "./server-context";

type Handle = (
  ctx: Context,
  request: Request,
  peer: Pick<RequestOrigin, "address" | "requestId">,
) => Promise<Response>;

/** Adapts a server handler to Next: resolves the client address and accepts only our host. */
export const routeHandler =
  (handle: Handle) =>
  async (request: Request): Promise<Response> => {
    const ctx = await serverContext().catch(noteFailedStart);
    if (!ctx) return unavailable(request);
    const { headers } = request;
    const requestId = requestIdGiven(headers) ?? ctx.ids.request();
    const refused = refuseForeignHost(request, ctx.settings, requestId);
    if (refused) return refused;
    try {
      return await handle(ctx, request, { address: peerAddress(headers, ctx.settings), requestId });
    } catch (thrown) {
      return refuse(ctx, request, { failure: failureOf(thrown), requestId });
    }
  };

/** Replaces Next's own answer of 500; browsers get a page. */
function refuse(
  { log, settings }: Context,
  request: Request,
  refused: { failure: Failure; requestId: string },
): Response {
  const { failure, requestId } = refused;
  logFailure(log, failure, { requestId });
  return request.headers.get("accept")?.includes("text/html")
    ? renderMessagePage(describeRefusal(refusalOf(failure), requestId), request)
    : asPlatformResponse(answerFailure(request, settings, refused));
}

/** The next request tries to start again. */
function noteFailedStart(error: unknown): undefined {
  createLog(readSettings().logLevel).error(
    { error: serializeError(error) },
    "a request met a process that cannot start",
  );
}

function unavailable(request: Request): Response {
  const { code, name, message, status } = ServiceUnavailable;
  const requestId = createIds().request();
  const answer = jsonAnswer(request, readSettings(), {
    status,
    record: { code, name, message },
    requestId,
  });
  return asPlatformResponse(answer);
}

/** Next requires the platform's Response; our answers use a lighter class. */
const asPlatformResponse = ({ body, status, headers }: Response) =>
  new Response(body, { status, headers });

export const mount = routeHandler(async (ctx, request, peer) =>
  asPlatformResponse(await answer(ctx, request, peer)),
);
