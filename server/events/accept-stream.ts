import type { TokenHolder } from "../actor";
import { type Context, perProcess } from "../context";
import { InvalidAuthenticationInformation, ServiceUnavailable, TooManyRequests } from "../failures";
import { createSlots } from "../platform/slots";
import type { OpenStream } from "../rest/endpoint";
import { readBearer } from "../rest/request-context";
import { createEventStream } from "./event-stream";
import { type Beginning, type EventFilter, findStart } from "./read-page";

const streamSlots = perProcess("open streams of events", createSlots);
const accountSlots = perProcess("open streams by account", createSlots);
const accountShare = 1 / 8;

export const openStreams = (ctx: Context): number => streamSlots(ctx).size();

/** Seconds until a retry; streams end by age all the time. */
const fullRetry = 30;
/** Seconds; another instance is ready during a drain. */
const drainRetry = 1;

/**
 * The stream begins when the mount opens it.
 * @throws TooManyRequests, ServiceUnavailable without a free slot; InvalidAuthenticationInformation
 * if the token ends meanwhile
 */
export async function acceptEventStream(
  ctx: Context,
  {
    by,
    request,
    from,
    ...filter
  }: EventFilter & { by: TokenHolder; request: Request; from: Beginning },
): Promise<OpenStream> {
  if (ctx.presence.draining())
    throw ServiceUnavailable.because({
      message: "This instance is about to end. Connect again.",
      retryAfter: drainRetry,
    });
  const bearer = readBearer(request.headers.get("authorization"));
  const token = "token" in bearer ? bearer.token : "";
  // Before the slot is taken, because only the stream's end frees it.
  const expiresAt = (await ctx.tokens.authenticate(token))?.expiresAt;
  const giveBack = takePlace(ctx, by);
  const stream = createEventStream(ctx, {
    ...filter,
    actor: by,
    token,
    expiresAt,
    onEnd: giveBack,
  });
  try {
    // Before the log is read, so that there is no gap.
    await ctx.events.feed.join(stream);
    stream.begin(await findStart(ctx, by.clientId, from));
    if (!(await ctx.tokens.authenticate(token))) throw InvalidAuthenticationInformation.because();
    return stream.open;
  } catch (error) {
    ctx.events.feed.leave(stream);
    giveBack();
    throw error;
  }
}

function takePlace(ctx: Context, { accountId, clientId }: TokenHolder): () => void {
  const { streamsOfHolder, streams } = ctx.events.feed.limits;
  const ofAccount = Math.max(streamsOfHolder, Math.floor(streams * accountShare));
  const tooMany = (whose: string, limit: number) =>
    TooManyRequests.because({
      message: `${whose}. End one, or use one for all that you follow.`,
      details: { policy: "streams", limit, reset: fullRetry },
      retryAfter: fullRetry,
    });
  const place = streamSlots(ctx).take(`${accountId}:${clientId}`, {
    each: streamsOfHolder,
    all: streams,
  });
  if (place === "each")
    throw tooMany(
      `The application has ${streamsOfHolder} streams open for this player`,
      streamsOfHolder,
    );
  if (place === "all")
    throw ServiceUnavailable.because({
      message: "Too many streams are open.",
      retryAfter: fullRetry,
    });
  const share = accountSlots(ctx).take(accountId, { each: ofAccount, all: streams });
  if (typeof share === "string") {
    place();
    throw tooMany(`Applications have ${ofAccount} streams open for this player`, ofAccount);
  }
  return () => {
    place();
    share();
  };
}
