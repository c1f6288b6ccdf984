import { randomBytes } from "node:crypto";
import { createElement } from "react";
import { expect, test } from "vitest";
import { apiPrefix } from "#server/machine-path";
import { diagnose } from "#server/oauth/clients/diagnose";
import { mintSecret } from "#server/platform/secret-text";
import { compileDispatch } from "#server/rest/dispatch";
import { routes } from "#server/routes";
import type { ScopeName } from "#server/scopes";
import { connectPlayer } from "#server/testing/connected-player";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { revokeToken } from "#server/testing/oauth-world";
import { wordsOn } from "#server/testing/page-words";
import { testContext } from "#server/testing/test-context";
import { mintFaction, mintUser } from "#server/testing/world";
import { DiagnosisResult } from "./_parts/diagnosed";

const { ctx, clock, simulator } = await testContext({ database: await testDatabase() });
const dispatch = compileDispatch(routes, { prefix: apiPrefix });
const owner = await mintUser(ctx);

const idOf = (answer: Response) => answer.headers.get("x-request-id") ?? "";
type Connected = Awaited<ReturnType<typeof connectPlayer>>;
const connected =
  (act: (connected: Connected) => Promise<Response>, scopes: readonly ScopeName[] = ["identity"]) =>
  async () =>
    idOf(await act(await connectPlayer(ctx, owner, { scopes })));

const calling = (headers: Record<string, string>) => async () => {
  const request = new Request(`http://localhost${apiPrefix}/user`, { headers });
  return idOf(await dispatch(ctx, request, { address: null }));
};

const post = (call: Connected["call"], body: string, type: string, path = "/stat/chain-list") =>
  call(path, { method: "POST", body, headers: { "content-type": type } });

/** Failures, with the cause and advice that the page must show. */
const failures: readonly [
  what: string,
  inHand: () => Promise<string>,
  cause: string,
  todo: string,
][] = [
  [
    "a refresh token that was replaced long ago",
    connected(async ({ refresh: again }) => {
      await again();
      clock.advance(3_600);
      return again();
    }),
    "was used again: its grant was revoked",
    "one process at a time",
  ],
  [
    "a refresh after the player revoked",
    connected(async ({ revoke, refresh: again }) => revoke().then(again)),
    "The authorization has ended",
    "Forget the tokens",
  ],
  [
    "a refresh while the player paused",
    connected(async ({ pause, refresh: again }) => pause().then(again)),
    "has paused the application",
    "Keep the refresh token",
  ],
  [
    "a call with an expired token",
    connected(async ({ call }) => {
      clock.advance(7_200);
      return call("/user");
    }),
    "The token had expired",
    "Refresh it once",
  ],
  [
    "a call with a token that the application revoked",
    connected(async ({ app, access, call }) => {
      await revokeToken(ctx, app, access);
      return call("/user");
    }),
    "revoked by your application",
    "the token of the newest response",
  ],
  [
    "a call after the player revoked",
    connected(async ({ revoke, call }) => revoke().then(() => call("/user"))),
    "revoked by the player",
    "Forget the player’s tokens",
  ],
  [
    "a call that needs another scope",
    connected(({ call }) => call("/faction/7001/attacks/retaliations")),
    "Missing: faction:attacks",
    "send the player through consent again",
  ],
  [
    "a parameter that is malformed",
    connected(({ call }) => call("/user/1?refresh=maybe")),
    "malformed or unknown: refresh",
    "lists every bad field",
  ],
  [
    "an address with a typing error",
    connected(({ call }) => call("/users")),
    "No such endpoint",
    "list of endpoints",
  ],
  [
    "an address with a typing error, called with a token that has ended",
    connected(async ({ revoke, call }) => revoke().then(() => call("/users"))),
    "No such endpoint",
    "list of endpoints",
  ],
  [
    "a value that is malformed, with what is wrong with it",
    connected(({ call }) => call("/user/1?refresh=maybe")),
    "refresh : ",
    "lists every bad field",
  ],
  [
    "a method that it does not have",
    connected(({ call }) => call("/user", { method: "DELETE" })),
    "does not support this method",
    "The Allow header names the methods",
  ],
  ["a call without a token", calling({}), "It carried no token.", "Authorization: Bearer"],
  [
    "a call with a token of nobody",
    calling({ authorization: `Bearer ${mintSecret("access", randomBytes)}` }),
    "Its token was never issued",
    "Refresh it once",
  ],
  [
    "a call with the client's credentials instead of a token",
    calling({ authorization: "Basic YTpi" }),
    "none of the type Bearer",
    "calls use Bearer",
  ],
  [
    "a call that needs a game key of a player who has none",
    connected(({ call }) => call(`/user/${owner.playerId}?refresh=true`), ["service_key:usage"]),
    "No usable game key is stored for the user",
    "Ask the player to sign in here with a working key",
  ],
  [
    "a withdrawal in a faction without a chat server",
    async () => {
      const own = await mintFaction(ctx);
      const player = await mintUser(ctx, { factionId: own.id });
      const { call } = await connectPlayer(ctx, owner, { scopes: ["faction"], player });
      const body = JSON.stringify({ amount: "1m", type: "money_balance" });
      return idOf(await post(call, body, "application/json", `/faction/${own.id}/banking`));
    },
    "The faction has no linked chat server",
    "A leader, or a member with faction API access, chooses one",
  ],
  [
    "a key that is sent again with another request",
    async () => {
      const own = await mintFaction(ctx);
      const player = await mintUser(ctx, { factionId: own.id });
      const { call } = await connectPlayer(ctx, owner, { scopes: ["faction"], player });
      const headers = { "content-type": "application/json", "idempotency-key": "once" };
      const send = (amount: string) => {
        const body = JSON.stringify({ amount, type: "points_balance" });
        return call(`/faction/${own.id}/banking`, { method: "POST", headers, body });
      };
      await send("1");
      return idOf(await send("2"));
    },
    "was used for another request",
    "Use a new key for a new call",
  ],
  [
    "a call while the player paused",
    connected(async ({ pause, call }) => pause().then(() => call("/user"))),
    "The user has paused this application",
    "Stop calling for this player",
  ],
  [
    "a call in the name of a banned player",
    connected(async ({ ban, call }) => ban().then(() => call("/user"))),
    "The access token is unknown, expired or revoked",
    "Refresh it once",
  ],
  [
    "a call of a suspended application",
    connected(async ({ suspend, call }) => suspend().then(() => call("/user"))),
    "The application is suspended",
    "the reason under Applications",
  ],
  [
    "a body that is no JSON",
    connected(({ call }) => post(call, "{", "application/json")),
    "malformed or unknown: body",
    "lists every bad field",
  ],
  [
    "a form where JSON belongs",
    connected(({ call }) => post(call, "a=1", "application/x-www-form-urlencoded")),
    "The body must be JSON",
    "Send Content-Type",
  ],
  [
    "a player who is unknown",
    connected(({ call }) => call("/user/99999999")),
    "No such user is known",
    "Check the ID",
  ],
  [
    "a faction that is not the player's",
    async () => {
      const [{ id }, own] = [await mintFaction(ctx), await mintFaction(ctx)];
      const player = await mintUser(ctx, { factionId: own.id });
      const { call } = await connectPlayer(ctx, owner, { scopes: ["faction"], player });
      return idOf(await call(`/faction/${id}/attacks/retaliations`));
    },
    "This belongs to another faction",
    "loses access to its data at once",
  ],
  [
    "a game that does not answer",
    async () => {
      const { playerId, accountId } = await enrol(ctx, "member");
      const { call } = await connectPlayer(ctx, owner, {
        scopes: ["service_key:usage"],
        player: { playerId, accountId },
      });
      clock.advance(601);
      simulator.control.clearCache();
      simulator.control.addFault({ player: playerId, drop: true });
      return idOf(await call(`/user/${playerId}?refresh=true`));
    },
    "The game’s API is not available",
    "Try again after",
  ],
  [
    "too many calls in a minute",
    connected(async ({ call }) => {
      for (let calls = 0; calls < ctx.settings.rates.holder; calls++) await call("/user");
      return call("/user");
    }),
    "Too many requests",
    "Wait as many seconds as Retry-After says",
  ],
];

test.each(failures)(
  "of %s the doctor tells why, and what to do",
  async (_what, inHand, cause, todo) => {
    const text = await inHand();
    await ctx.settled();
    const page = wordsOn(
      createElement(DiagnosisResult, { found: await diagnose(ctx, owner, text) }),
    );
    expect(page).toContain(cause);
    expect(page.slice(page.indexOf(cause))).toContain(todo);
  },
);
