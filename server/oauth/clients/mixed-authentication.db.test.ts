import { describe, expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { expectRefusal } from "#server/testing/expect-refusal";
import {
  basic,
  mintApplication,
  mintCode,
  mintTokens,
  redemption,
  unthrottled,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser, testSource } from "#server/testing/world";
import { answerIntrospection, answerRevocation, answerToken } from "../http";

const { ctx } = await testContext({
  database: await testDatabase(),
  settings: { rates: unthrottled },
});
const owner = await mintUser(ctx);
const conf = await mintApplication(ctx, owner);
const other = await mintApplication(ctx, await mintUser(ctx));
const pub = await mintApplication(ctx, owner, { kind: "public", redirectUris: [] });
const secret = conf.clientSecret ?? "";
const form = "application/x-www-form-urlencoded";

/** The target of every faulty request. */
const code = await mintCode(ctx, conf, { user: owner });
const { refresh_token: token = "" } = await mintTokens(ctx, conf, { user: owner });
const redeem = new URLSearchParams(redemption(conf, code)).toString();
const refresh = `grant_type=refresh_token&refresh_token=${token}`;
const encoded = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

interface Sent {
  readonly authorization?: string;
  /** After the fields of the grant. */
  readonly more?: string;
  readonly query?: string;
  readonly type?: string;
}

const post = (
  endpoint: string,
  body: string | Uint8Array<ArrayBuffer>,
  { authorization, query = "", type }: Sent,
) =>
  new Request(`http://any.host/oauth/${endpoint}${query}`, {
    method: "POST",
    body,
    headers: {
      "content-type": type ?? form,
      ...(authorization !== undefined && { authorization }),
    },
  });
const peer = { address: testSource.address };

const faults: [string, Sent, number, string][] = [
  [
    "nothing but the query",
    { query: `?client_id=${conf.clientId}&client_secret=${secret}` },
    401,
    "invalid_client",
  ],
  [
    "TK-07: a secret in the body",
    { more: `&client_id=${conf.clientId}&client_secret=${secret}` },
    401,
    "invalid_client",
  ],
  [
    "a secret in the body without an id",
    { more: `&client_secret=${secret}` },
    401,
    "invalid_client",
  ],
  [
    "TK-08: both, both right",
    { authorization: basic(conf), more: `&client_secret=${secret}` },
    400,
    "invalid_request",
  ],
  [
    "TK-08: both, one wrong",
    { authorization: basic(conf), more: "&client_secret=x" },
    400,
    "invalid_request",
  ],
  [
    "a secret in the body and a header that is none",
    { authorization: "Basic", more: `&client_id=${conf.clientId}&client_secret=${secret}` },
    400,
    "invalid_request",
  ],
  [
    "TK-09: the id of another in the body",
    { authorization: basic(conf), more: `&client_id=${other.clientId}` },
    400,
    "invalid_request",
  ],
  [
    "TK-09: the id of a public client in the body",
    { authorization: basic(conf), more: `&client_id=${pub.clientId}` },
    400,
    "invalid_request",
  ],
  [
    "the id in other letters",
    { authorization: basic(conf), more: `&client_id=${conf.clientId.toUpperCase()}X` },
    400,
    "invalid_request",
  ],
  [
    "the id twice",
    { authorization: basic(conf), more: `&client_id=${conf.clientId}&client_id=${conf.clientId}` },
    400,
    "invalid_request",
  ],
  [
    "the id as an array",
    { authorization: basic(conf), more: `&client_id[]=${conf.clientId}` },
    400,
    "invalid_request",
  ],
  ["two Basic headers", { authorization: `${basic(conf)}, ${basic(conf)}` }, 401, "invalid_client"],
  ["Basic and Bearer", { authorization: `${basic(conf)}, Bearer x` }, 401, "invalid_client"],
  [
    "Bearer beside the id",
    { authorization: `Bearer ${secret}`, more: `&client_id=${conf.clientId}` },
    401,
    "invalid_client",
  ],
  [
    "an empty header beside the id",
    { authorization: "", more: `&client_id=${conf.clientId}` },
    401,
    "invalid_client",
  ],
  [
    "Basic with an empty secret",
    { authorization: encoded(`${conf.clientId}:`) },
    401,
    "invalid_client",
  ],
  [
    "Basic with an empty id",
    { authorization: encoded(`:${secret}`), more: `&client_id=${conf.clientId}` },
    400,
    "invalid_request",
  ],
  [
    "the secret with a space behind it",
    { authorization: encoded(`${conf.clientId}:${secret}+`) },
    401,
    "invalid_client",
  ],
  [
    "the secret cut short",
    { authorization: encoded(`${conf.clientId}:${secret.slice(0, -1)}`) },
    401,
    "invalid_client",
  ],
  [
    "the secret with a NUL behind it",
    { authorization: encoded(`${conf.clientId}:${secret}%00`) },
    401,
    "invalid_client",
  ],
  [
    "the secret of another",
    { authorization: encoded(`${conf.clientId}:${other.clientSecret}`) },
    401,
    "invalid_client",
  ],
  [
    "the id encoded twice",
    { authorization: encoded(`${conf.clientId.replace("a", "%2561")}%25:${secret}`) },
    401,
    "invalid_client",
  ],
  [
    "TK-15: a public client with a secret",
    { authorization: encoded(`${pub.clientId}:${secret}`) },
    401,
    "invalid_client",
  ],
  ["TK-16: the id alone", { more: `&client_id=${conf.clientId}` }, 401, "invalid_client"],
  ["an id with a NUL", { more: `&client_id=${conf.clientId}%00` }, 401, "invalid_client"],
  ["an id of 10 KB", { more: `&client_id=${"a".repeat(10_000)}` }, 401, "invalid_client"],
  ["an id that is no text", { more: "&client_id=%ED%A0%80%FF" }, 401, "invalid_client"],
  [
    "a body that is said to be JSON and a form",
    { authorization: basic(conf), type: `${form}, application/json` },
    400,
    "invalid_request",
  ],
  [
    "a type that begins like a form",
    { authorization: basic(conf), type: `${form}-x` },
    400,
    "invalid_request",
  ],
];

describe("a request that authenticates in part, twice or as somebody else is refused", () => {
  test.each(faults)("%s", async (_fault, sent, status, error) => {
    for (const grant of [redeem, refresh]) {
      const body = grant + (sent.more ?? "");
      const response = await answerToken(ctx, post("token", body, sent), peer);
      await expectRefusal(response, status, error);
      expect(response.headers.has("www-authenticate")).toBe(status === 401);
    }
    const asked = `token=${token}${sent.more ?? ""}`;
    await expectRefusal(
      await answerRevocation(ctx, post("revoke", asked, sent), peer),
      status,
      error,
    );
    await expectRefusal(
      await answerIntrospection(ctx, post("introspect", asked, sent), peer),
      status,
      error,
    );
  });

  test("and has neither burned the code, nor moved or revoked the token", async () => {
    const sent = { authorization: basic(conf) };
    for (const grant of [redeem, refresh])
      expect((await answerToken(ctx, post("token", grant, sent), peer)).status).toBe(200);
  });
});

describe("a form that is written unusually is the same form", () => {
  const fresh = async () =>
    new URLSearchParams(redemption(conf, await mintCode(ctx, conf, { user: owner })));
  const right = { authorization: basic(conf) };

  test.each([
    `${form};charset=UTF-8`,
    `${form}; charset="utf-8"`,
    `${form};charset=ISO-8859-1`,
    `${form} ; charset=utf-16`,
    `\t${form.toUpperCase()}\t`,
    `${form};`,
  ])("TK-06: sent as %j", async (type) => {
    const body = (await fresh()).toString();
    expect((await answerToken(ctx, post("token", body, { ...right, type }), peer)).status).toBe(
      200,
    );
  });

  test("TK-04 TK-20: what stands in the query neither counts nor repeats anything", async () => {
    const body = (await fresh()).toString();
    const query = `?${body}&code=x&client_id=${other.clientId}&client_secret=x&grant_type=password`;
    expect((await answerToken(ctx, post("token", body, { ...right, query }), peer)).status).toBe(
      200,
    );
  });

  test("TK-20: no parameter may stand twice, and none may be completed from elsewhere", async () => {
    const fields = await fresh();
    for (const [name, value] of fields) {
      const doubled = `${fields}&${new URLSearchParams({ [name]: value })}`;
      await expectRefusal(
        await answerToken(ctx, post("token", doubled, right), peer),
        400,
        "invalid_request",
      );
      const emptied = `${new URLSearchParams({ [name]: "" })}&${fields}`;
      await expectRefusal(
        await answerToken(ctx, post("token", emptied, right), peer),
        400,
        "invalid_request",
      );
    }
    expect((await answerToken(ctx, post("token", fields.toString(), right), peer)).status).toBe(
      200,
    );
  });

  test("bytes that are no UTF-8, NUL and separators of other kinds are parts of a value, and no fault of ours", async () => {
    const fields = (await fresh()).toString();
    for (const tail of ["%00", "%FF", "%ED%A0%80", ";client_id=x", "\u0000", "\r\n"]) {
      const response = await answerToken(
        ctx,
        post("token", `${fields}&code_verifier_hint=x${tail}`, right),
        peer,
      );
      const repeated = await answerToken(
        ctx,
        post("token", `grant_type=refresh_token&refresh_token=${token}${tail}`, right),
        peer,
      );
      expect([tail, response.status < 500, repeated.status]).toEqual([tail, true, 400]);
    }
    const raw = new Uint8Array([
      ...Buffer.from("grant_type=refresh_token&refresh_token="),
      0xff,
      0x00,
      0xc0,
    ]);
    await expectRefusal(
      await answerToken(ctx, post("token", raw, right), peer),
      400,
      "invalid_grant",
    );
  });
});
