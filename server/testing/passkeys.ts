import { eq } from "drizzle-orm";
import { notices } from "#db/schema/accounts";
import { auditLog } from "#db/schema/operations";
import type { PortalUser } from "#server/actor";
import { newBrowserId } from "#server/auth/browser-binding";
import {
  addPasskey,
  beginPasskeyRegistration,
  showPasskeys,
} from "#server/auth/passkeys/passkey-acts";
import {
  askForPasskey,
  confirmByPasskey,
  signInWithPasskey,
} from "#server/auth/passkeys/passkey-proof";
import { createSession, readSession } from "#server/auth/sessions";
import type { Context } from "#server/context";
import { type Behaviour, softwareAuthenticator } from "./software-authenticator";
import type { TestContext } from "./test-context";
import { mintUser, sentFrom, testSource, visitor } from "./world";

interface From {
  readonly on?: Context;
  readonly from?: string | null;
  readonly address?: string;
}

export function passkeyBrowser(ctx: Context) {
  const authenticator = softwareAuthenticator(ctx.settings);
  const browserId = newBrowserId(ctx);
  const address = () =>
    `198.51.${Math.floor(Math.random() * 200)}.${Math.floor(Math.random() * 200)}`;
  const source = () => ({
    requestId: ctx.ids.request(),
    address: address(),
    userAgent: "Firefox",
  });
  return {
    authenticator,
    browserId,
    source,

    async add(user: PortalUser, name = "My phone", behaviour: Behaviour = {}) {
      const { options } = await beginPasskeyRegistration(ctx, sentFrom(user, source()), {
        browserId,
      });
      const answer = authenticator.create(options, behaviour);
      await addPasskey(ctx, sentFrom(user, source()), { answer, name, browserId });
    },

    async signature(behaviour: Behaviour = {}) {
      const asked = { purpose: "sign-in", accountId: null, browserId, address: address() } as const;
      return authenticator.get((await askForPasskey(ctx, asked)).options, behaviour);
    },

    signInWith: (
      answer: string,
      { on = ctx, from = browserId, address: by = address() }: From = {},
    ) => {
      const tried = { answer, browserId: from, previousSession: null };
      return signInWithPasskey(on, sentFrom(visitor, { ...source(), address: by }), tried);
    },

    async confirm(user: PortalUser, behaviour: Behaviour = {}) {
      const asked = {
        purpose: "confirmation",
        accountId: user.accountId,
        browserId,
        address: address(),
      } as const;
      const answer = authenticator.get((await askForPasskey(ctx, asked)).options, behaviour);
      await confirmByPasskey(ctx, sentFrom(user, source()), { answer, browserId });
    },
  };
}

export async function playerWithPasskey({ ctx, clock }: Pick<TestContext, "ctx" | "clock">) {
  // A rate-limit window is a clock minute.
  clock.advance(60);
  const user = await mintUser(ctx);
  const browser = passkeyBrowser(ctx);
  await browser.add(user);
  return { user, ...browser };
}

export function passkeyWorld(world: Pick<TestContext, "ctx" | "clock">) {
  const { ctx } = world;
  const on = ctx.database.query;
  return {
    withPasskey: () => playerWithPasskey(world),
    actsOf: async ({ accountId }: PortalUser) =>
      (
        await on
          .select()
          .from(auditLog)
          .where(eq(auditLog.accountId, accountId))
          .orderBy(auditLog.id)
      ).map(({ act }) => act),
    noticesOf: async ({ accountId }: PortalUser) =>
      (await on.select().from(notices).where(eq(notices.accountId, accountId))).map(
        ({ kind }) => kind,
      ),
    only: async (user: PortalUser) => {
      const [passkey] = (await showPasskeys(ctx, user)).passkeys;
      if (!passkey) throw new Error("There is no passkey.");
      return passkey;
    },
    sessionOf: async ({ accountId }: PortalUser, proof: "game-key" | "chat" = "game-key") => {
      const browser = { address: null, userAgent: null };
      const { token } = await createSession(ctx, on, { accountId, from: browser, proof });
      const user = await readSession(ctx, token, testSource);
      if (!user) throw new Error("The session is over.");
      return { token, user };
    },
  };
}
