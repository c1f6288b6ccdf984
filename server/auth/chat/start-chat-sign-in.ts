import type { Context } from "#server/context";
import { networkOf } from "#server/platform/peer-address";
import { browserHash, newBrowserId } from "../browser-binding";
import { signInRefused } from "../sign-in-refused";
import { createChatProvider } from "./provider";
import { insertChatSignIn } from "./store";

/** As an authorization request of ours: time to sign in there, and to look for a telephone. */
const waitMilliseconds = 600_000;
const secretBytes = 32;
/** Starts a clock minute and address: each is a row, and later two questions to the provider. */
const startLimit = 60;

export interface ChatStart {
  /** A path of ours to go on to afterwards. */
  readonly next: string;
  /** The account that wants to link its chat account; null for a sign-in. */
  readonly accountId: string | null;
  /** The browser's id, or null for a browser that has none yet. */
  readonly browserId: string | null;
  readonly address: string | null;
}

/**
 * Sends a browser to the chat's provider. The answer is waited for ten minutes, from this browser alone.
 * @returns where to send the browser, and the id that it must be given
 * @throws SignInRefused "chat-off" or "throttled"
 */
export async function startChatSignIn(
  ctx: Context,
  { next, accountId, browserId: known, address }: ChatStart,
): Promise<{ location: string; browserId: string }> {
  const { chatSignIn, baseUrl } = ctx.settings;
  if (!chatSignIn) throw signInRefused("chat-off");
  const started = await ctx.limiter.take({ policy: "sign-in-chat", subject: networkOf(address), limit: startLimit });
  if (!started.allowed) throw signInRefused("throttled", { retryAfter: started.reset });
  const secret = () => Buffer.from(ctx.ids.bytes(secretBytes)).toString("base64url");
  const [state, verifier] = [secret(), secret()];
  const browserId = known ?? newBrowserId(ctx);
  const stateHash = ctx.keyring.hmac("chat-sign-in", state).hash;
  const createdAt = ctx.now();
  await insertChatSignIn(ctx.database.query, {
    stateHash,
    browserHash: browserHash(ctx, browserId),
    sealedVerifier: ctx.keyring.seal("chat-sign-in", verifier, stateHash),
    next,
    accountId,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + waitMilliseconds),
  });
  return { location: createChatProvider(chatSignIn, { baseUrl }).authorizationUrl({ state, verifier }), browserId };
}
