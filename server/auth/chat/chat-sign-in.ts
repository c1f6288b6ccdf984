import {
  type AccountActor,
  type AnonymousActor,
  createAnonymousActor,
  type PortalUser,
  type RequestSource,
} from "#server/actor";
import { auditRefusal } from "#server/audit/audit-refusal";
import type { Context } from "#server/context";
import { withdrawChatNotices } from "#server/notices/notices";
import type { Proof } from "#server/work/proofs";
import { putBrowserProof, takeBrowserProof, type VisitingBrowser } from "../browser-binding";
import { finishSignIn, type SignInOutcome } from "../second-factor/second-step";
import {
  isShownInPlace,
  isSignInRefused,
  type SignInRefusal,
  signInRefused,
} from "../sign-in-refused";
import { addressWindow, runChargedTry } from "../sign-in-throttle";
import {
  deleteChatAccountLink,
  findAccountByChatId,
  findChatAccountLink,
  insertChatAccountLink,
  lockAccount,
  noteChatSignIn,
} from "../store";
import { createChatProvider, isProviderError } from "./provider";

const waitSeconds = 600;
const stateBytes = 32;

interface ChatStart extends VisitingBrowser {
  readonly next: string;
  readonly accountId: string | null;
}

/** @throws SignInRefused "chat-off" or "throttled" */
export async function startChatSignIn(
  ctx: Context,
  { next, accountId, ...visitor }: ChatStart,
): Promise<{ location: string; browserId: string }> {
  const { chatSignIn, baseUrl } = ctx.settings;
  if (!chatSignIn) throw signInRefused("chat-off");
  const secret = () => ctx.ids.text(stateBytes);
  const [state, verifier] = [secret(), secret()];
  const stateHash = ctx.keyring.hmac("chat-sign-in", state).hash;
  const browserId = await putBrowserProof(ctx, visitor, {
    id: stateHash,
    kind: "chat-sign-in",
    details: { next, sealedVerifier: ctx.keyring.seal("chat-sign-in", verifier, stateHash) },
    accountId,
    policy: "sign-in-chat",
    seconds: waitSeconds,
  });
  return {
    location: createChatProvider(chatSignIn, { baseUrl }).authorizationUrl({ state, verifier }),
    browserId,
  };
}

/** Unverified parameters of RFC 6749 section 4.1.2. */
interface ProviderAnswer {
  readonly state: string | null;
  readonly code: string | null;
  readonly error: string | null;
  readonly browserId: string | null;
  readonly previousSession: string | null;
}

export type ChatOutcome =
  | { readonly kind: "admitted"; readonly admitted: SignInOutcome; readonly next: string }
  | { readonly kind: "linked"; readonly next: string }
  | {
      readonly kind: "refused";
      readonly refused: SignInRefusal;
      readonly linking: boolean;
      readonly next: string | null;
    };

/** @throws SignInRefused "chat-off", or one for which `isShownInPlace` is true */
export async function finishChatSignIn(
  ctx: Context,
  by: PortalUser | AnonymousActor,
  answer: ProviderAnswer,
): Promise<ChatOutcome> {
  if (!ctx.settings.chatSignIn) throw signInRefused("chat-off");
  let started: Proof | undefined;
  const isLink = () => started !== undefined && started.accountId !== null;
  try {
    return await runChargedTry(ctx, [addressWindow(ctx, by)], {
      attempt: async () => {
        started = await takeChatSignInProof(ctx, answer);
        return actOn(ctx, by, { answer, started });
      },
      onRefused: ({ reason }) =>
        auditRefusal(ctx, by, isLink() ? "chat_account.refused" : "session.refused", {
          accountId: started?.accountId ?? null,
          details: { method: "chat", reason },
        }),
    });
  } catch (refused) {
    if (!isSignInRefused(refused) || isShownInPlace(refused.reason)) throw refused;
    const next = started?.details.next ?? null;
    return { kind: "refused", refused: refused.reason, linking: isLink(), next };
  }
}

async function actOn(
  ctx: Context,
  by: PortalUser | AnonymousActor,
  { answer, started }: { answer: ProviderAnswer; started: Proof },
): Promise<ChatOutcome> {
  const { accountId } = started;
  const { next = "/" } = started.details;
  const { previousSession } = answer;
  // Another player may have signed in since the start.
  const user = by.kind === "portal" && by.accountId === accountId ? by : undefined;
  if (accountId !== null && !user) throw signInRefused("chat-expired");
  const chatId = await readChatAnswer(ctx, by.from, { answer, started });
  if (!user) {
    const admitted = await signInChatOwner(ctx, createAnonymousActor(by.from), {
      chatId,
      previousSession,
    });
    return { kind: "admitted", admitted, next };
  }
  await linkChatAccount(ctx, user, { chatId });
  return { kind: "linked", next };
}

/** Refuses a foreign, repeated or late answer. @throws SignInRefused "chat-expired" */
export async function takeChatSignInProof(
  ctx: Context,
  { state, browserId }: Pick<ProviderAnswer, "state" | "browserId">,
): Promise<Proof> {
  const kind = "chat-sign-in";
  const started =
    state !== null &&
    (await takeBrowserProof(ctx, browserId, { kind, ids: ctx.keyring.hmacs(kind, state) }));
  if (!started) throw signInRefused("chat-expired");
  return started;
}

const longestCode = 4_096;

/** @throws SignInRefused "chat-declined", "chat-unavailable" or "chat-off" */
async function readChatAnswer(
  ctx: Context,
  { requestId }: RequestSource,
  { answer, started }: { answer: Pick<ProviderAnswer, "code" | "error">; started: Proof },
): Promise<bigint> {
  const { chatSignIn, baseUrl } = ctx.settings;
  if (!chatSignIn) throw signInRefused("chat-off");
  const { code, error } = answer;
  if (error === "access_denied") throw signInRefused("chat-declined");
  if (error !== null || code === null || code.length > longestCode)
    throw signInRefused("chat-unavailable");
  const { sealedVerifier = "" } = started.details;
  const verifier = ctx.keyring.open("chat-sign-in", sealedVerifier, started.id);
  try {
    return await createChatProvider(chatSignIn, { baseUrl }).readChatId({ code, verifier });
  } catch (thrown) {
    if (!isProviderError(thrown)) throw thrown;
    ctx.log.warn({ requestId, problem: thrown.message }, "the chat did not say who signs in");
    throw signInRefused("chat-unavailable", { cause: thrown });
  }
}

interface ChatProof {
  readonly chatId: bigint;
  readonly previousSession: string | null;
}

/**
 * Only a linked chat account signs in: the game's data about chat accounts proves no consent.
 * @throws SignInRefused "chat-unknown" or "banned"
 */
async function signInChatOwner(
  ctx: Context,
  { from }: AnonymousActor,
  { chatId, previousSession }: ChatProof,
): Promise<SignInOutcome> {
  const owner = await findAccountByChatId(ctx.database.query, chatId);
  if (!owner) throw signInRefused("chat-unknown");
  return ctx.database.transaction(async (tx) => {
    const details = { chat: String(chatId) };
    const admitted = await finishSignIn(ctx, tx, {
      kind: "player",
      ...owner,
      from,
      factor: "chat",
      previousSession,
      details,
    });
    const { accountId } = owner;
    if (!(await noteChatSignIn(tx, { chatId, accountId, now: ctx.now() })))
      throw signInRefused("chat-unknown");
    return admitted;
  });
}

export async function showChatAccount(ctx: Context, user: PortalUser) {
  const found = await findChatAccountLink(ctx.database.query, user.accountId);
  // The id has more digits than a number holds.
  const link = found ? { ...found, chatId: String(found.chatId) } : null;
  return { offered: ctx.settings.chatSignIn !== undefined, link };
}

/** The player must have proved both accounts. @throws SignInRefused "chat-taken", "chat-other" */
export async function linkChatAccount(
  ctx: Context,
  by: AccountActor,
  { chatId }: { chatId: bigint },
): Promise<void> {
  const { accountId } = by;
  await ctx.database.transaction(async (tx) => {
    if (!(await insertChatAccountLink(tx, { chatId, accountId, linkedAt: ctx.now() }))) {
      if ((await findChatAccountLink(tx, accountId))?.chatId === chatId) return;
      throw signInRefused((await findAccountByChatId(tx, chatId)) ? "chat-taken" : "chat-other");
    }
    const details = { chat: String(chatId) };
    await ctx.audit(tx, by, "chat_account.linked", { details });
    await ctx.notify(tx, {
      accountId,
      kind: "chat-linked",
      text: "A chat account was linked and can sign in here now. If that was not you, unlink it and end all other sessions.",
    });
  });
}

export async function unlinkChatAccount(ctx: Context, by: PortalUser): Promise<void> {
  const { accountId } = by;
  await ctx.database.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    if (!(await findChatAccountLink(tx, accountId))) return;
    await withdrawChatNotices(tx, accountId);
    // Notifies before the deletion, so that the chat account gets the notice too.
    await ctx.notify(tx, {
      accountId,
      kind: "chat-unlinked",
      text: "The chat account was unlinked and can no longer sign in here.",
    });
    const chatId = await deleteChatAccountLink(tx, accountId);
    await ctx.audit(tx, by, "chat_account.unlinked", { details: { chat: String(chatId) } });
  });
}
