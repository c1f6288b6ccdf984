import { createServer, type RequestListener } from "node:http";
import { afterEach, expect, test } from "vitest";
import { isChatFailure } from "#server/chat/transport";
import { readJson } from "#server/rest/read-input";
import { onLoopback } from "#server/testing/on-loopback";
import { chatIdOf, createChatProvider, isProviderError, providerError } from "./provider";

const baseUrl = "http://localhost:3000";
const secret = "a secret, with signs: %&=";
const verifier = "v".repeat(43);
const json = { "content-type": "application/json" };
const goodToken = JSON.stringify({
  access_token: "the-token",
  token_type: "Bearer",
  expires_in: 60,
});
const snowflake = '{"id":"1234567890123456789"}';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A provider with configurable answers. */
/** Milliseconds, where the provider does not answer; where it does, a busy machine may take its time. */
const shortPatience = 1_000;

async function providerThat(
  answers: { token?: RequestListener; user?: RequestListener },
  timeout = 30_000,
) {
  const server = createServer((request, response) => {
    const answer = request.url === "/token" ? answers.token : answers.user;
    if (answer) return answer(request, response);
    response.writeHead(200, json).end(request.url === "/token" ? goodToken : snowflake);
  });
  const url = `http://127.0.0.1:${await onLoopback(server, (close) => closing.push(close))}`;
  const settings = {
    clientId: "adjutant",
    clientSecret: secret,
    authorizeUrl: `${url}/authorize`,
    tokenUrl: `${url}/token`,
    userUrl: `${url}/me`,
    userIdField: "id",
  };
  return { settings, provider: createChatProvider(settings, { baseUrl, timeout }) };
}

const says = (
  status: number,
  body: string,
  headers: Record<string, string> = json,
): RequestListener => {
  return (_request, response) => void response.writeHead(status, headers).end(body);
};

const tooLong = JSON.stringify({ id: "1", filler: "x".repeat(100_000) });

test("the browser is sent away with state, PKCE by S256 and the registered address, and without the verifier", async () => {
  const { settings } = await providerThat({});
  const authorizeUrl = "https://chat.example/authorize?prompt=consent";
  const provider = createChatProvider({ ...settings, authorizeUrl }, { baseUrl });
  const url = new URL(provider.authorizationUrl({ state: "the-state", verifier }));
  expect(url.origin + url.pathname).toBe("https://chat.example/authorize");
  expect(Object.fromEntries(url.searchParams)).toEqual({
    prompt: "consent",
    response_type: "code",
    client_id: "adjutant",
    redirect_uri: "http://localhost:3000/sign-in/chat/callback",
    state: "the-state",
    code_challenge_method: "S256",
    code_challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    scope: "openid identify",
  });
  expect(url.href).not.toContain(verifier);
});

test("a scope in the setting's own query replaces ours", async () => {
  const { settings } = await providerThat({});
  const authorizeUrl = "https://chat.example/authorize?scope=profile";
  const provider = createChatProvider({ ...settings, authorizeUrl }, { baseUrl });
  const url = new URL(provider.authorizationUrl({ state: "s", verifier }));
  expect(url.searchParams.getAll("scope")).toEqual(["profile"]);
});

test("the code is redeemed with the secret in Basic, both halves form-encoded, and the verifier", async () => {
  const seen: { authorization?: string; body: string; bearer?: string } = { body: "" };
  const { provider } = await providerThat({
    token: async (request, response) => {
      seen.authorization = request.headers.authorization;
      for await (const chunk of request) seen.body += chunk;
      response.writeHead(200, json).end(goodToken);
    },
    user: (request, response) => {
      seen.bearer = request.headers.authorization;
      response.writeHead(200, json).end(snowflake);
    },
  });
  expect(await provider.readChatId({ code: "the-code", verifier })).toBe(
    1_234_567_890_123_456_789n,
  );
  const [, encoded = ""] = seen.authorization?.split(" ") ?? [];
  expect(Buffer.from(encoded, "base64").toString()).toBe(
    "adjutant:a+secret%2C+with+signs%3A+%25%26%3D",
  );
  expect(Object.fromEntries(new URLSearchParams(seen.body))).toEqual({
    grant_type: "authorization_code",
    code: "the-code",
    redirect_uri: "http://localhost:3000/sign-in/chat/callback",
    code_verifier: verifier,
  });
  expect(seen.bearer).toBe("Bearer the-token");
});

const never: RequestListener = () => {};
const drip: RequestListener = (_request, response) => {
  response.writeHead(200, json).write('{"id":');
};
const breakOff: RequestListener = (request) => void request.socket.destroy();

test.each<[string, { token?: RequestListener; user?: RequestListener }, string | RegExp]>([
  ["refuses the code", { token: says(400, '{"error":"invalid_grant"}') }, "token: HTTP 400"],
  ["has an outage", { token: says(503, "down") }, "token: HTTP 503"],
  [
    "answers HTML",
    { token: says(200, "<!doctype html><title>Sign in</title>") },
    "token: not JSON",
  ],
  [
    "gives no token",
    { token: says(200, '{"token_type":"bearer"}') },
    "token: no bearer token in the answer",
  ],
  ["gives a list", { token: says(200, "[]") }, "token: no bearer token in the answer"],
  [
    "gives another kind of token",
    { token: says(200, '{"access_token":"x","token_type":"mac"}') },
    "token: no bearer token in the answer",
  ],
  [
    "gives a token that would break the next header",
    { token: says(200, '{"access_token":"x\\r\\nHost: elsewhere","token_type":"bearer"}') },
    "token: no bearer token in the answer",
  ],
  ["never answers", { token: never }, `token: no answer within ${shortPatience} ms`],
  ["stops in the middle", { user: drip }, `user: no answer within ${shortPatience} ms`],
  ["hangs up", { token: breakOff }, /^token: (UND_ERR_SOCKET|ECONNRESET)$/],
  ["does not like its own token", { user: says(401, "") }, "user: HTTP 401"],
  ["answers a lot", { user: says(200, tooLong) }, "user: more than 65536 bytes"],
  [
    "answers a lot without saying so",
    {
      user: (_request, response) => {
        response.writeHead(200, json);
        response.write(tooLong);
      },
    },
    "user: more than 65536 bytes",
  ],
  ["nests without end", { user: says(200, `${"[".repeat(60_000)}`) }, /^user: JSON is nested/],
  [
    "names nobody",
    { user: says(200, '{"username":"x"}') },
    "user: no account's number in the field id",
  ],
  [
    "names something else",
    { user: says(200, '{"id":"nobody"}') },
    "user: no account's number in the field id",
  ],
])("a provider that %s names nobody", async (_what, answers, problem) => {
  const silent = /no answer/.test(String(problem));
  const { provider } = await providerThat(answers, silent ? shortPatience : undefined);
  const thrown = await provider
    .readChatId({ code: "the-code", verifier })
    .catch((error: unknown) => error);
  expect(isProviderError(thrown)).toBe(true);
  const message = (thrown as Error).message;
  if (typeof problem === "string") expect(message).toBe(problem);
  else expect(message).toMatch(problem);
  for (const secretWord of ["the-code", verifier, secret, "the-token"])
    expect(message).not.toContain(secretWord);
});

test.each(["token", "user"] as const)(
  "a redirect of the %s endpoint is not followed",
  async (step) => {
    const asked: string[] = [];
    const elsewhere = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(200, json).end(step === "token" ? goodToken : snowflake);
    });
    const location = `http://127.0.0.1:${await onLoopback(elsewhere, (close) => closing.push(close))}/`;
    const { provider } = await providerThat({ [step]: says(307, "", { location }) });
    await expect(provider.readChatId({ code: "c", verifier })).rejects.toThrow(`${step}: HTTP 307`);
    expect(asked).toEqual([]);
  },
);

test("a provider that is not there names nobody", async () => {
  const { settings } = await providerThat({});
  const provider = createChatProvider(
    { ...settings, tokenUrl: "http://127.0.0.1:1/token" },
    { baseUrl },
  );
  await expect(provider.readChatId({ code: "c", verifier })).rejects.toThrow(
    /^token: [A-Za-z_ ]+$/,
  );
});

test("a failure of the provider is not taken for one of the chat's own API", () => {
  expect(isProviderError(providerError("token", "HTTP 500"))).toBe(true);
  expect(isChatFailure(providerError("token", "HTTP 500"))).toBe(false);
});

const read = (text: string) => {
  const json = readJson(text);
  return chatIdOf("value" in json ? json.value : undefined, "id");
};

test.each([
  ['{"id":"1234567890123456789"}', 1_234_567_890_123_456_789n],
  ['{"id":1234567890123456789}', 1_234_567_890_123_456_789n],
  ['{"id":9007199254740993,"name":"x"}', 9_007_199_254_740_993n],
  ['{"id":9223372036854775807}', 9_223_372_036_854_775_807n],
  ['{"id":80351110224678912}', 80_351_110_224_678_912n],
  ['{"id":1}', 1n],
])("%s names its account with all digits", (text, id) => expect(read(text)).toBe(id));

test.each([
  "{}",
  "[]",
  "null",
  '"1234567890123456789"',
  '{"ID":"1"}',
  '{"id":null}',
  '{"id":true}',
  '{"id":{"id":"1"}}',
  '{"id":["1"]}',
  '{"id":""}',
  '{"id":"0"}',
  '{"id":0}',
  '{"id":-5}',
  '{"id":1.5}',
  '{"id":1e30}',
  '{"id":"0123"}',
  '{"id":" 123"}',
  '{"id":"0x10"}',
  '{"id":"١٢٣"}',
  '{"id":"9223372036854775808"}',
  '{"id":9223372036854775808}',
  '{"id":"99999999999999999999999"}',
])("%s names none", (text) => expect(read(text)).toBeUndefined());

test("what every object has is no field", () => {
  expect(chatIdOf({}, "constructor")).toBeUndefined();
});
