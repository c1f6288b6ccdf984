import type { Server } from "node:http";
import { eq } from "drizzle-orm";
import { afterAll, expect } from "vitest";
import type { Database } from "#db/client";
import { players } from "#db/schema/players";
import type { Context } from "#server/context";
import { recordEvents } from "#server/event-log/record-events";
import { retaliationOpened } from "#server/faction/events";
import { createFront, type FrontOptions } from "#server/front/create-front";
import { listConsents } from "#server/oauth/consents/list-consents";
import type { ScopeName } from "#server/scopes";
import { type EventReader, readEvents } from "./event-reader";
import { mintApplication, mintTokens, type TestApplication } from "./oauth-world";
import { onLoopback } from "./on-loopback";
import { testContext } from "./test-context";
import { mintUser } from "./world";

/** Serves without pages on its own port, until the file's last test. */
export async function serveFront(
  ctx: Context,
  limits?: FrontOptions["limits"],
): Promise<{ url: string; server: Server }> {
  const server = createFront({
    ctx,
    pages: async (_request, response) => void response.end(),
    ...(limits && { limits }),
  });
  return { url: `http://127.0.0.1:${await onLoopback(server, afterAll)}`, server };
}

/** A faction with members that give an application access to its events. */
export async function eventWorld(ctx: Context, factionId = 7001) {
  const owner = await mintUser(ctx);
  const app = await mintApplication(ctx, owner, { scopes: ["identity", "faction"] });
  return {
    owner,
    app,
    /** Only events after the instant of the grant are visible. */
    member: async (scopes: ScopeName[] = ["identity", "faction"], of: TestApplication = app) => {
      const user = await mintUser(ctx);
      const home = { factionId, factionSince: ctx.now() };
      await ctx.database.query.update(players).set(home).where(eq(players.id, user.playerId));
      const { access_token: token, refresh_token: refresh } = await mintTokens(ctx, of, {
        user,
        scopes,
      });
      const [consent] = await listConsents(ctx, user);
      // A stream opened now must begin after the approval's event.
      await ctx.settled();
      return { user, token, refresh, consentId: consent?.consentId ?? "" };
    },
    happen: (subject: string, on: Context = ctx) =>
      on.database.transaction((tx) =>
        recordEvents(on, tx, [{ type: retaliationOpened, subject, factionId }]),
      ),
  };
}

export const streamRates = { holder: 100_000, peer: 100_000, client: 100_000 };

export async function streamWorld(database: Database) {
  const here = await testContext({ database, settings: { rates: streamRates, tokenCache: true } });
  const { ctx, clock } = here;
  const { url } = await serveFront(ctx);
  const world = await eventWorld(ctx);
  return {
    ...{ here, ctx, clock, url, ...world },
    hit: async (subject: string) => {
      clock.advance(1);
      await world.happen(subject);
    },
    listed: async (token: string, query = "") => {
      const answer = await fetch(`${url}/api/v1/events${query}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return {
        status: answer.status,
        headers: answer.headers,
        json: JSON.parse(await answer.text()),
      };
    },
    open: async (
      token: string,
      more: Parameters<typeof readEvents>[2] = {},
    ): Promise<EventReader> => {
      const reader = await readEvents(url, token, more);
      await expect.poll(() => reader.frames.length).toBeGreaterThan(0);
      return reader;
    },
  };
}
