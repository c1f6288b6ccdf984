import { describe, expect, test } from "vitest";
import { expectRefusal } from "#server/testing/expect-refusal";
import {
  basic,
  formRequest,
  mintApplication,
  mintCode,
  mintTokens,
  postToken,
  redemption,
  type TestApplication,
  unthrottled,
} from "#server/testing/oauth-world";
import { tokenWorld } from "#server/testing/token-world";
import { testSource } from "#server/testing/world";
import { answerToken } from "../http";
import { showFailedOAuthAttempts } from "./calls/show-calls";
import { showApplication } from "./own-applications";
import { createSecret, deleteSecret } from "./secrets/secret-acts";

const { ctx, clock, owner, user, conf, other, pub } = await tokenWorld({ rates: unthrottled });

const code = (app: TestApplication, query: Record<string, string> = {}) =>
  mintCode(ctx, app, { user, query });
const { code_verifier: _verifier, ...bareRedemption } = redemption(conf, "");

/** Empty fields count as absent. */
const redeem = (app: TestApplication, fields: Record<string, string>) =>
  postToken(ctx, app, fields);

describe("client authentication", () => {
  const token = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    answerToken(ctx, formRequest("token", fields, headers), { address: testSource.address });
  const right = basic(conf);

  test("TK-07 TK-15: a secret in the body is refused, for every client", async () => {
    const fields = {
      ...bareRedemption,
      client_id: conf.clientId,
      client_secret: conf.clientSecret ?? "",
    };
    await expectRefusal(await token(fields), 401, "invalid_client");
    await expectRefusal(await token({ ...fields, client_id: pub.clientId }), 401, "invalid_client");
    await expectRefusal(
      await token(bareRedemption, { authorization: basic({ ...pub, clientSecret: "x" }) }),
      401,
      "invalid_client",
    );
  });

  test("an empty secret is none: it authenticates a public client, and no confidential one", async () => {
    const empty = (app: TestApplication) => ({
      authorization: basic({ ...app, clientSecret: "" }),
    });
    const redeemed = async (fields: Record<string, string>, headers?: Record<string, string>) =>
      (await token({ ...redemption(pub, await code(pub)), ...fields }, headers)).status;
    expect(await redeemed({}, empty(pub))).toBe(200);
    expect(await redeemed({ client_id: pub.clientId }, empty(pub))).toBe(200);
    expect(await redeemed({ client_id: pub.clientId, client_secret: "" }, empty(pub))).toBe(200);
    expect(await redeemed({ client_id: pub.clientId, client_secret: "" })).toBe(200);

    const fields = redemption(conf, await code(conf));
    await expectRefusal(await token(fields, empty(conf)), 401, "invalid_client");
    await expectRefusal(
      await token({ ...fields, client_id: conf.clientId, client_secret: "" }, empty(conf)),
      401,
      "invalid_client",
    );
    await expectRefusal(
      await token({ ...fields, client_id: pub.clientId }, empty(conf)),
      400,
      "invalid_request",
    );
    await expectRefusal(
      await token({ ...fields, client_secret: "x" }, empty(conf)),
      400,
      "invalid_request",
    );
    await expectRefusal(
      await token({ ...fields, client_secret: "x" }, empty(pub)),
      400,
      "invalid_request",
    );
    await expectRefusal(
      await token(fields, { authorization: `Basic ${btoa(":")}` }),
      401,
      "invalid_client",
    );
    expect((await token({ ...fields, client_secret: "" }, { authorization: right })).status).toBe(
      200,
    );
  });

  test("a developer reads how a refused request was authenticated, and never a secret", async () => {
    const app = await mintApplication(ctx, owner);
    const attempts = async () => {
      await ctx.settled();
      return (await showFailedOAuthAttempts(ctx, owner, { clientId: app.clientId, after: null }))
        .rows;
    };
    await token(bareRedemption, { authorization: basic({ ...app, clientSecret: "" }) });
    expect(await attempts()).toMatchObject([
      {
        error: "invalid_client",
        description: expect.stringMatching(/confidential, and no secret was sent/),
        authorization: "basic-empty-secret",
        fields: ["grant_type", "redirect_uri"],
        emptyFields: ["code"],
      },
    ]);
    clock.advance(1);
    const secret = app.clientSecret ?? "";
    await token({
      ...bareRedemption,
      client_id: app.clientId,
      client_secret: secret,
      [secret]: secret,
    });
    const [newest] = await attempts();
    expect(newest).toMatchObject({ authorization: "none", emptyFields: ["code"] });
    expect(newest?.fields).toContain("client_secret");
    expect(JSON.stringify(await attempts())).not.toContain(secret);
  });

  test("TK-08 TK-09 TK-10: one method at a time, and both ids must agree", async () => {
    const fields = redemption(conf, await code(conf));
    const twice = { ...fields, client_secret: conf.clientSecret ?? "" };
    await expectRefusal(await token(twice, { authorization: right }), 400, "invalid_request");
    await expectRefusal(
      await token({ ...fields, client_id: other.clientId }, { authorization: right }),
      400,
      "invalid_request",
    );
    const agreed = await token({ ...fields, client_id: conf.clientId }, { authorization: right });
    expect(agreed.status).toBe(200);
  });

  test.each([
    ["no value", "Basic"],
    ["an empty value", "Basic "],
    ["no colon", "Basic Zm9v"],
    ["padding alone", "Basic ===="],
    ["no base64", "Basic %%%"],
    ["a trailing character", `${right}!`],
    ["a padding too much", `${right}=`],
    ["a broken escape", `Basic ${Buffer.from(`${conf.clientId}:%zz`).toString("base64")}`],
    ["bad UTF-8", `Basic ${Buffer.from([0x61, 0x3a, 0xff, 0xfe]).toString("base64")}`],
    ["100 KB", `Basic ${"QUFB".repeat(30_000)}`],
    ["a NUL in the id", `Basic ${Buffer.from("a\0b:c").toString("base64")}`],
    ["another scheme", "Bearer abc"],
  ])(
    "TK-12: an Authorization header with %s is no client authentication",
    async (_fault, authorization) => {
      await expectRefusal(await token(bareRedemption, { authorization }), 401, "invalid_client");
    },
  );

  test("TK-14: an unknown client and a wrong secret cannot be told apart", async () => {
    const answers = [
      await token(bareRedemption, {
        authorization: basic({ clientId: "0".repeat(32), clientSecret: "x" }),
      }),
      await token(bareRedemption, { authorization: basic({ ...conf, clientSecret: "x" }) }),
      await token(bareRedemption, {
        authorization: basic({ clientId: "nobody", clientSecret: "x" }),
      }),
    ];
    const seen = await Promise.all(
      answers.map(async (answer) => {
        const { "x-request-id": _id, ...headers } = Object.fromEntries(answer.headers);
        return { status: answer.status, body: await answer.text(), headers };
      }),
    );
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
    expect(seen[0]?.status).toBe(401);
  });

  test("TK-16: a confidential client cannot pose as a public one", async () => {
    const fields = { ...redemption(conf, await code(conf)), client_id: conf.clientId };
    await expectRefusal(await token(fields), 401, "invalid_client");
    const { refresh_token } = await mintTokens(ctx, conf, { user });
    const refresh = {
      grant_type: "refresh_token",
      client_id: conf.clientId,
      refresh_token: refresh_token ?? "",
    };
    await expectRefusal(await token(refresh), 401, "invalid_client");
    await expectRefusal(
      await token({ grant_type: "refresh_token", refresh_token: refresh_token ?? "" }),
      401,
      "invalid_client",
    );
  });

  test.each(["basic", "BASIC", "BaSiC"])("TK-18: the scheme may be written %s", async (scheme) => {
    const fields = redemption(conf, await code(conf));
    expect((await token(fields, { authorization: right.replace("Basic", scheme) })).status).toBe(
      200,
    );
  });

  test("both halves of Basic may be form-encoded", async () => {
    const encoded = [conf.clientId, conf.clientSecret ?? ""].map((half) =>
      half.replaceAll("_", "%5F").replaceAll("a", "%61"),
    );
    const authorization = `Basic ${Buffer.from(encoded.join(":")).toString("base64")}`;
    expect((await token(redemption(conf, await code(conf)), { authorization })).status).toBe(200);
  });

  test("TK-39: a deleted secret is refused at once, and the second one still works", async () => {
    const app = await mintApplication(ctx, owner);
    const second = await createSecret(ctx, owner, {
      clientId: app.clientId,
      name: "Second",
      livesDays: null,
    });
    const replaced = { ...app, clientSecret: second.secret };
    const fields = redemption(app, await code(app));
    const { secrets } = await showApplication(ctx, owner, app.clientId);
    const first = secrets.find(({ name }) => name === "First secret");
    await deleteSecret(ctx, owner, { clientId: app.clientId, secretId: first?.id ?? "" });
    await expectRefusal(await redeem(app, fields), 401, "invalid_client");
    expect((await redeem(replaced, fields)).status).toBe(200);
  });

  test("the use of a secret is noted after the answer, and once a minute at most", async () => {
    const app = await mintApplication(ctx, owner);
    const lastUse = async () => {
      await ctx.settled();
      return (await showApplication(ctx, owner, app.clientId)).secrets[0]?.lastUsedAt;
    };
    const use = () => redeem(app, redemption(app, "adj_ac_none"));
    expect(await lastUse()).toBeNull();
    const first = ctx.now();
    await use();
    expect(await lastUse()).toEqual(first);
    clock.advance(59);
    await use();
    expect(await lastUse()).toEqual(first);
    clock.advance(1);
    await use();
    expect(await lastUse()).toEqual(ctx.now());
    await redeem({ ...app, clientSecret: "adj_cs_wrong" }, redemption(app, "adj_ac_none"));
    clock.advance(120);
    await redeem({ ...app, clientSecret: "adj_cs_wrong" }, redemption(app, "adj_ac_none"));
    expect(await lastUse()).not.toEqual(ctx.now());
  });

  test("a secret ends at its expiry", async () => {
    const app = await mintApplication(ctx, owner);
    const named = { clientId: app.clientId, name: "Short", livesDays: 30 } as const;
    const { secret } = await createSecret(ctx, owner, named);
    const short = { ...app, clientSecret: secret };
    await expectRefusal(await redeem(short, redemption(app, "adj_ac_none")), 400, "invalid_grant");
    clock.advance(30 * 86_400);
    await expectRefusal(await redeem(short, redemption(app, "adj_ac_none")), 401, "invalid_client");
  });
});
