import { eq } from "drizzle-orm";
import { afterAll, beforeEach } from "vitest";
import { players } from "#db/schema/players";
import { webhookEndpoints } from "#db/schema/webhooks";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { recordEvents } from "#server/event-log/record-events";
import { retaliationOpened } from "#server/faction/events";
import { listConsents } from "#server/oauth/consents/list-consents";
import type { ScopeName } from "#server/scopes";
import { choosableTypes, EndpointInput } from "#server/webhooks/contract";
import { createDeliverer, type Deliverer } from "#server/webhooks/deliverer";
import { addEndpoint } from "#server/webhooks/endpoint-acts";
import { listDeliveries, listEndpoints } from "#server/webhooks/endpoint-views";
import { verifyEndpoint } from "#server/webhooks/try-endpoint";
import { countInFile } from "./count-in-file";
import { goodReceiver, type HookReceiver, hookReceiver } from "./hook-receiver";
import { mintApplication, mintTokens, unthrottled } from "./oauth-world";
import type { TestContext } from "./test-context";
import { mintUser } from "./world";

export const hookSettings = {
  webhookLoopback: "allowed",
  baseUrl: "http://localhost:3000",
  rates: unthrottled,
} as const;

/** Runs on demand until the file's last test. Consents that end reach it as in production. */
export async function testDeliverer(ctx: Context): Promise<Deliverer> {
  const deliverer = createDeliverer(ctx);
  afterAll(() => deliverer.stop(0));
  return deliverer;
}

const nextFaction = countInFile(70_000);

/** Each test begins a minute later and without endpoints. */
export async function hookDeliveries({ ctx, clock }: Pick<TestContext, "ctx" | "clock">) {
  const receiver = await hookReceiver();
  const deliverer = await testDeliverer(ctx);
  beforeEach(async () => {
    clock.advance(60);
    await ctx.database.query.delete(webhookEndpoints);
  });
  return {
    receiver,
    deliverer,
    types: (at = receiver) => at.events().map(({ body }) => body.type),
    failing: (status: number, headers: Record<string, string> = {}) =>
      receiver.behave((_request, response) => response.writeHead(status, headers).end()),
    deliveries: ({ owner, key }: Awaited<ReturnType<typeof mintHooks>>) =>
      listDeliveries(ctx, owner, { ...key, after: null, unsuccessful: false }),
  };
}

/** Delays each answer; `most` is the maximum of concurrent requests. */
export function answerSlowly(
  receiver: HookReceiver,
  secret: string,
  milliseconds: number,
): { most: () => number } {
  const good = goodReceiver(() => secret);
  let [now, most] = [0, 0];
  receiver.behave((request, response) => {
    now += 1;
    most = Math.max(most, now);
    response.once("close", () => {
      now -= 1;
    });
    setTimeout(() => good(request, response), milliseconds);
  });
  return { most: () => most };
}

/** An application with a verified endpoint, and a faction that uses it. */
export async function mintHooks(
  { ctx, clock }: Pick<TestContext, "ctx" | "clock">,
  receiver: HookReceiver,
  types: readonly string[] = choosableTypes,
) {
  const on = ctx.database.query;
  const owner = await mintUser(ctx);
  const app = await mintApplication(ctx, owner, { scopes: ["identity", "faction"] });
  const factionId = nextFaction();
  const input = EndpointInput.parse({ url: receiver.url, types: [...types] });
  const { endpointId, secret } = await addEndpoint(ctx, owner, {
    clientId: app.clientId,
    ...input,
  });
  const key = { clientId: app.clientId, endpointId };
  receiver.behave(goodReceiver(() => secret));
  const { outcome } = await verifyEndpoint(ctx, owner, key);
  if (outcome !== "verified") throw new Error("The endpoint was not verified.");
  receiver.behave(goodReceiver(() => secret));
  const row = async () => {
    const [found] = await on
      .select()
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.id, endpointId));
    if (!found) throw new Error("The endpoint is gone.");
    return found;
  };
  const view = async () => {
    const found = (await listEndpoints(ctx, owner, app)).find(
      (each) => each.endpointId === endpointId,
    );
    if (!found) throw new Error("The endpoint is gone.");
    return found;
  };
  return {
    ...{ owner, app, key, secret, factionId, receiver, row, view },
    member: async (
      scopes: readonly ScopeName[] = ["identity", "faction"],
    ): Promise<{ user: PortalUser; consentId: string; token: string }> => {
      const user = await mintUser(ctx);
      await on
        .update(players)
        .set({ factionId, factionSince: clock.now() })
        .where(eq(players.id, user.playerId));
      const { access_token: token } = await mintTokens(ctx, app, { user, scopes });
      const [consent] = await listConsents(ctx, user);
      if (!consent) throw new Error("no consent");
      await ctx.settled();
      return { user, consentId: consent.consentId, token };
    },
    hits: async (...subjects: readonly string[]) => {
      clock.advance(1);
      await ctx.database.transaction((tx) =>
        recordEvents(
          ctx,
          tx,
          subjects.map((subject) => ({ type: retaliationOpened, subject, factionId })),
        ),
      );
      await ctx.settled();
    },
  };
}

export const hitsAt = (receiver: HookReceiver): string[] =>
  receiver
    .events()
    .filter(({ body }) => body.type === "retaliation.opened")
    .map(({ body }) => body.data.subject.id);
