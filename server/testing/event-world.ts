import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { eq } from "drizzle-orm";
import { afterAll } from "vitest";
import { players } from "#db/schema/players";
import type { Context } from "#server/context";
import { recordEvents } from "#server/event-log/record-events";
import { retaliationOpened } from "#server/faction/attacks/events";
import { createFront, type FrontOptions } from "#server/front/create-front";
import { listConsents } from "#server/oauth/consents/list-consents";
import type { ScopeName } from "#server/scopes";
import { mintApplication, mintTokens, type TestApplication } from "./oauth-world";
import { mintUser } from "./world";

/** Serves the front of this context without pages, on a port of its own, until the file's last test. */
export async function serveFront(
  ctx: Context,
  limits?: FrontOptions["limits"],
): Promise<{ url: string; server: Server }> {
  const server = createFront({
    ctx,
    pages: async (_request, response) => void response.end(),
    ...(limits && { limits }),
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

/** A faction whose members give an application access to its events. */
export async function eventWorld(ctx: Context, factionId = 7001) {
  const owner = await mintUser(ctx);
  const app = await mintApplication(ctx, owner, { scopes: ["identity", "faction"] });
  return {
    owner,
    app,
    /** A member with a token. The instant of the grant must have passed when something happens. */
    member: async (scopes: ScopeName[] = ["identity", "faction"], of: TestApplication = app) => {
      const user = await mintUser(ctx);
      const home = { factionId, factionSince: ctx.now() };
      await ctx.database.query.update(players).set(home).where(eq(players.id, user.playerId));
      const { access_token: token, refresh_token: refresh } = await mintTokens(ctx, of, { user, scopes });
      const [consent] = await listConsents(ctx, user);
      // The approval has its number: a stream that is opened now does not begin with it.
      await ctx.settled();
      return { user, token, refresh, consentId: consent?.consentId ?? "" };
    },
    /** Something happens in the faction. */
    happen: (subject: string, on: Context = ctx) =>
      on.database.transaction((tx) => recordEvents(on, tx, [{ type: retaliationOpened, subject, factionId }])),
  };
}
