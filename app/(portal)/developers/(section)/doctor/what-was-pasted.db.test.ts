import { createElement } from "react";
import { expect, test } from "vitest";
import { diagnose } from "#server/oauth/clients/diagnose";
import { maskSecrets } from "#server/oauth/clients/read-pasted";
import { mintSecret } from "#server/platform/secret-text";
import { connectPlayer } from "#server/testing/connected-player";
import { testDatabase } from "#server/testing/database";
import {
  mintApplication,
  mintCode,
  postToken,
  redemption,
  revokeToken,
} from "#server/testing/oauth-world";
import { wordsOn } from "#server/testing/page-words";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { DiagnosisResult } from "./_parts/diagnosed";

const { ctx, clock } = await testContext({ database: await testDatabase() });
const owner = await mintUser(ctx);
const api = `${ctx.settings.baseUrl}/api/v1`;

const wordsFor = async (text: string, reader = owner) =>
  wordsOn(createElement(DiagnosisResult, { found: await diagnose(ctx, reader, text) }));

type Connected = Awaited<ReturnType<typeof connectPlayer>>;
const holding = (what: (connected: Connected) => Promise<string> | string) => async () =>
  what(await connectPlayer(ctx, owner));
/** A curl call of `/user` with the token after the act. */
const calling = (act: (connected: Connected) => unknown, path = "/user", more = "") =>
  holding(async (connected) => {
    await act(connected);
    return `curl -sS '${api}${path}' \\\n  -H "Authorization: Bearer ${connected.access}" ${more}`;
  });
const nothing = () => {};

const pasted: readonly [what: string, text: () => Promise<string>, ...said: string[]][] = [
  [
    "an access token",
    holding(({ access }) => access),
    "An access token",
    "It has identity and expires",
  ],
  [
    "an access token that expired",
    holding(({ access }) => {
      clock.advance(7_200);
      return access;
    }),
    "It has expired",
    "Refresh it once",
  ],
  [
    "an access token that its application revoked",
    holding(async ({ app, access }) => {
      await revokeToken(ctx, app, access);
      return access;
    }),
    "revoked by your application",
    "newest response",
  ],
  [
    "a token of a player who revoked",
    holding(async ({ access, revoke }) => revoke().then(() => access)),
    "The access was revoked",
    "Forget the player’s tokens",
  ],
  [
    "a token of a player who paused",
    holding(async ({ access, pause }) => pause().then(() => access)),
    "has paused the application",
    "Keep the tokens",
  ],
  [
    "a token of a banned player",
    holding(async ({ access, ban }) => ban().then(() => access)),
    "account is banned",
    "Forget",
  ],
  [
    "a token of a suspended application",
    holding(async ({ access, suspend }) => suspend().then(() => access)),
    "The application is suspended",
    "The reason is in your notices.",
  ],
  ["a refresh token", holding(({ replaceable }) => replaceable), "A refresh token", "and expires"],
  [
    "a refresh token that was used",
    holding(async ({ replaceable, refresh }) => refresh().then(() => replaceable)),
    "It was used",
    "the newest response",
  ],
  [
    "a code that was exchanged",
    async () => {
      const app = await mintApplication(ctx, owner);
      const code = await mintCode(ctx, app, { user: await mintUser(ctx) });
      await postToken(ctx, app, redemption(app, code));
      return code;
    },
    "An authorization code",
    "It was used",
    "works once",
  ],
  [
    "a token that was cut off",
    holding(({ access }) => access.slice(0, -1)),
    "damaged",
    "mistyped or cut off",
  ],
  [
    "an error of the API",
    async () => `{"code":4002,"name":"InvalidAuthenticationInformation"}`,
    "4002",
    "Refresh it once",
  ],
  [
    "an error of the token endpoint",
    async () => `HTTP/1.1 400\n\n{"error":"invalid_grant"}`,
    "invalid_grant",
    "X-Request-Id",
  ],
  [
    "an id that was never given out",
    async () => ctx.ids.request(),
    "Not recorded yet",
    "Check again",
  ],
  [
    "a client secret",
    holding(({ app }) => app.clientSecret ?? ""),
    "A client secret",
    "create a new one",
  ],
  ["a call that works", calling(nothing), "GET /api/v1/user", "its token may call it"],
  ["a call with an expired token", calling(() => clock.advance(7_200)), "4002", "Refresh it once"],
  ["a call of a paused player", calling(({ pause }) => pause()), "4008", "Keep the tokens"],
  [
    "a call without its scope",
    calling(nothing, "/faction/7001/attacks/retaliations"),
    "4004",
    "Missing: faction:attacks",
    "send the player through consent",
  ],
  ["a call of nothing", calling(nothing, "/users"), "4010", "The reference lists every endpoint"],
  [
    "a call by the wrong method",
    calling(nothing, "/user", "-X DELETE"),
    "4011",
    "allows GET, HEAD, OPTIONS",
  ],
  [
    "a call with data, which curl posts",
    calling(nothing, "/user", "-d a=1"),
    "POST /api/v1/user",
    "4011",
  ],
  ["a call without a token", async () => `curl ${api}/user`, "4001", "Authorization: Bearer"],
  ["a call with a password", async () => `curl -H 'Authorization: Basic YTpi' ${api}/user`, "4003"],
  [
    "a call with a made-up token",
    async () => `curl -H 'Authorization: Bearer abc' ${api}/user`,
    "4002",
  ],
];

test.each(pasted)("of %s the doctor says what it is", async (_what, hold, ...said) => {
  const text = await hold();
  for (const each of [text, maskSecrets(ctx.keyring, text)]) {
    const words = await wordsFor(each);
    for (const part of said) expect(words).toContain(part);
  }
});

test("of another developer's token nothing is told", async () => {
  const { access, replaceable, call } = await connectPlayer(ctx, await mintUser(ctx));
  for (const token of [access, replaceable]) {
    const never = await wordsFor(
      token.startsWith("adj_at_") ? mintedNowhere("at") : mintedNowhere("rt"),
    );
    expect(await wordsFor(token)).toBe(never);
  }
  expect((await call("/user")).status).toBe(200);
  const line = (token: string) => `curl ${api}/user -H 'Authorization: Bearer ${token}'`;
  expect(await wordsFor(line(access))).toBe(await wordsFor(line(mintedNowhere("at"))));
});

const mintedNowhere = (sign: "at" | "rt") =>
  mintSecret(sign === "at" ? "access" : "refresh", ctx.ids.bytes);

test("what goes into the page's address holds no secret", async () => {
  const { access, replaceable, app } = await connectPlayer(ctx, owner);
  const basic = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString("base64");
  const secrets = [access, replaceable, app.clientSecret ?? "", basic, "other.jwt-token"];
  const text = `curl -u ${app.clientId}:${app.clientSecret} -H 'Authorization: Basic ${basic}' ${api}/user
    -H "authorization: bearer other.jwt-token" -d token=${access} --data-urlencode "refresh_token=${replaceable}"`;
  const masked = maskSecrets(ctx.keyring, text);
  for (const secret of secrets) expect(masked).not.toContain(secret);
  expect(maskSecrets(ctx.keyring, masked)).toBe(masked);
});

test("an id that is older than its line takes to be written is no request of theirs", async () => {
  const id = ctx.ids.request();
  clock.advance(6);
  expect(await wordsFor(id)).toContain("Nothing is recorded of this request");
});
