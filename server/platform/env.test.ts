import { expect, test } from "vitest";
import { parseEnvironment } from "./env";

const secret = "q8Zt3vYb1xKc5mWn7pRs9dFg2hJk4lQe6uTy0iOa+/XvCzBn";

const bot = { CHAT_API_URL: "https://chat.example/api/v10/", CHAT_BOT_TOKEN: "of-the-bot" };
const chat = {
  CHAT_CLIENT_ID: "adjutant",
  CHAT_CLIENT_SECRET: "of the chat",
  CHAT_AUTHORIZE_URL: "https://chat.example/authorize",
  CHAT_TOKEN_URL: "https://chat.example/token",
  CHAT_USER_URL: "https://chat.example/me",
};

test("an empty environment is a working product on embedded parts", () => {
  const settings = parseEnvironment({});
  expect(settings).toMatchObject({
    baseUrl: "http://localhost:3000",
    https: false,
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    redis: undefined,
    gameApiUrl: undefined,
    chatSignIn: undefined,
    chatBot: undefined,
    chatPublicKey: undefined,
    demo: "alive",
    jobs: "inline",
  });
});

test("the chat's bot is on when address and token are there, on loopback without TLS too", () => {
  expect(parseEnvironment(bot).chatBot).toEqual({
    apiUrl: "https://chat.example/api/v10",
    token: "of-the-bot",
  });
  const local = { ...bot, CHAT_API_URL: "http://127.0.0.1:4200/api" };
  expect(parseEnvironment(local).chatBot?.apiUrl).toBe("http://127.0.0.1:4200/api");
});

test("metrics are told on a port of their own, on loopback unless said otherwise", () => {
  expect(parseEnvironment({}).metrics).toBeUndefined();
  expect(parseEnvironment({ METRICS_PORT: "9464" }).metrics).toEqual({
    port: 9464,
    host: "127.0.0.1",
  });
  const elsewhere = parseEnvironment({ METRICS_PORT: "9464", METRICS_HOST: "10.0.0.5" });
  expect(elsewhere.metrics).toEqual({ port: 9464, host: "10.0.0.5" });
  expect(() => parseEnvironment({ METRICS_PORT: "3000" })).toThrow(
    "METRICS_PORT must be another port than PORT.",
  );
  expect(() => parseEnvironment({ METRICS_PORT: "x" })).toThrow("METRICS_PORT is wrong");
  expect(() => parseEnvironment({ METRICS_PORT: "65536" })).toThrow("METRICS_PORT is wrong");
});

test("an empty variable counts as absent", () => {
  expect(parseEnvironment({ DATABASE_URL: "", PORT: "" }).port).toBe(3000);
});

test.each([
  [{ PORT: "http" }, /^PORT is wrong/],
  [{ BASE_URL: "https://tool.example/path" }, /^BASE_URL must be scheme, host and port alone/],
  [{ BASE_URL: "http://tool.example" }, /^BASE_URL must be https/],
  [{ BASE_URL: "nonsense" }, /^BASE_URL is wrong/],
  [
    { DATABASE_URL: "postgres://db/adjutant" },
    /^SERVER_SECRET is missing: .* needs the one of then, /,
  ],
  [{ SERVER_SECRET: "changeme" }, /^SERVER_SECRET is too weak/],
  [{ SERVER_SECRET: "ab".repeat(40) }, /^SERVER_SECRET is too weak/],
  [{ UPSTASH_REDIS_REST_URL: "https://redis.example" }, /must be set together/],
  [
    { REDIS_URL: "https://redis.example" },
    /^REDIS_URL is wrong: must start with redis:\/\/, or rediss:\/\/ for TLS/,
  ],
  [
    { REDIS_URL: "redis://redis.example", REDIS_CA_FILE: "/ca.crt" },
    /^REDIS_CA_FILE needs a REDIS_URL that begins/,
  ],
  [{ REDIS_CA_FILE: "/ca.crt" }, /^REDIS_CA_FILE needs a REDIS_URL that begins/],
  [{ DATABASE_POOL_SIZE: "1" }, /^DATABASE_POOL_SIZE is wrong/],
  [{ DATABASE_TOKEN_POOL_SIZE: "201" }, /^DATABASE_TOKEN_POOL_SIZE is wrong/],
  [{ DATABASE_JOB_POOL_SIZE: "0" }, /^DATABASE_JOB_POOL_SIZE is wrong/],
  [{ BASE_URL: "https://tool.example" }, /only with DEMO=1/],
  [{ RATE_HOLDER: "0" }, /^RATE_HOLDER is wrong/],
  [{ APPLICATIONS_PER_DEVELOPER: "0" }, /^APPLICATIONS_PER_DEVELOPER is wrong/],
  [{ CHAT_CLIENT_ID: "adjutant" }, /^CHAT_CLIENT_SECRET is missing: .* together, or none/],
  [{ CHAT_USER_ID_FIELD: "sub" }, /^CHAT_CLIENT_ID is missing/],
  [{ ...chat, CHAT_USER_URL: "" }, /^CHAT_USER_URL is missing/],
  [{ ...chat, CHAT_TOKEN_URL: "http://chat.example/token" }, /^CHAT_TOKEN_URL must be https/],
  [{ ...chat, CHAT_AUTHORIZE_URL: "javascript:alert(1)" }, /^CHAT_AUTHORIZE_URL is wrong/],
  [
    { ...chat, CHAT_AUTHORIZE_URL: "https://user@chat.example/authorize" },
    /^CHAT_AUTHORIZE_URL is wrong/,
  ],
  [
    { ...chat, CHAT_AUTHORIZE_URL: "https://chat.example;x/authorize" },
    /^CHAT_AUTHORIZE_URL is wrong/,
  ],
  [{ ...chat, CHAT_USER_ID_FIELD: "user.id" }, /^CHAT_USER_ID_FIELD is wrong/],
  [
    { CHAT_API_URL: "https://chat.example/api/v10" },
    /^CHAT_API_URL and CHAT_BOT_TOKEN must be set together/,
  ],
  [{ CHAT_BOT_TOKEN: "of the bot" }, /^CHAT_BOT_TOKEN is wrong/],
  [{ ...bot, CHAT_API_URL: "http://chat.example/api" }, /^CHAT_API_URL must be https/],
  [{ CHAT_PUBLIC_KEY: "ab12" }, /^CHAT_PUBLIC_KEY is wrong/],
  [
    { TRUSTED_PLATFORM_HEADER: "cf connecting ip" },
    /^TRUSTED_PLATFORM_HEADER is wrong: must be the name of a header/,
  ],
  [{ DRAIN_NOTICE_SECONDS: "-1" }, /^DRAIN_NOTICE_SECONDS is wrong/],
  [{ POLICY_URL: "http://tool.example/privacy" }, /^POLICY_URL is wrong: must be an https URL/],
  [{ TERMS_URL: "mailto:help@tool.example" }, /^TERMS_URL is wrong: must be an https URL/],
  [{ CONTACT_URL: "javascript:alert(1)" }, /^CONTACT_URL is wrong: must be an https or mailto URL/],
  [{ ADMIN_USER_IDS: "me" }, /^ADMIN_USER_IDS is wrong/],
])(
  "SC-06 MD-08: the start stops at %j with a sentence that names the setting",
  (environment, sentence) => {
    expect(() => parseEnvironment(environment)).toThrow(sentence);
  },
);

test("what opens nothing that is sealed needs no server secret, and a weak one is refused all the same", () => {
  const none = { serverSecret: false };
  expect(
    parseEnvironment({ DATABASE_URL: "postgres://db/adjutant" }, none).serverSecret,
  ).toBeUndefined();
  expect(() => parseEnvironment({ SERVER_SECRET: "changeme" }, none)).toThrow(
    /^SERVER_SECRET is too weak/,
  );
});

test("pools of the database have the sizes that are set, and the usual ones where none is", () => {
  expect(parseEnvironment({}).databasePools).toEqual({});
  const set = { DATABASE_POOL_SIZE: "12", DATABASE_KEY_POOL_SIZE: "3" };
  expect(parseEnvironment(set).databasePools).toEqual({ general: 12, key: 3 });
});

test("a wrong setting's sentence never contains the value of a secret", () => {
  expect(() => parseEnvironment({ SERVER_SECRET: "hunter2" })).toThrow(/^((?!hunter2).)*$/);
});

test("the simulated game under a public address starts with DEMO=1 written out", () => {
  const settings = parseEnvironment({
    BASE_URL: "https://tool.example",
    DEMO: "1",
    SERVER_SECRET: secret,
  });
  expect(settings).toMatchObject({ demo: "alive", https: true });
});

test("with a real game nobody is offered demo players", () => {
  expect(parseEnvironment({ GAME_API_URL: "https://game.example", DEMO: "1" }).demo).toBe("off");
});

test("the chat sign-in is on when all its settings are there; the user's id stands in the field id", () => {
  expect(parseEnvironment(chat).chatSignIn).toEqual({
    clientId: "adjutant",
    clientSecret: "of the chat",
    authorizeUrl: "https://chat.example/authorize",
    tokenUrl: "https://chat.example/token",
    userUrl: "https://chat.example/me",
    userIdField: "id",
  });
  expect(parseEnvironment({ ...chat, CHAT_USER_ID_FIELD: "sub" }).chatSignIn?.userIdField).toBe(
    "sub",
  );
});

test("an admin needs a second factor, unless that is waived under a loopback address", () => {
  expect(parseEnvironment({}).adminSecondFactor).toBe("required");
  const waived = { ADMIN_SECOND_FACTOR: "waived" };
  for (const base of ["http://localhost:3000", "https://127.0.0.1:8443", "http://[::1]:3000"])
    expect(parseEnvironment({ ...waived, BASE_URL: base }).adminSecondFactor).toBe("waived");
  const elsewhere = { ...waived, BASE_URL: "https://adjutant.example", DEMO: "1" };
  expect(() => parseEnvironment(elsewhere)).toThrow(
    /^ADMIN_SECOND_FACTOR=waived is allowed with a loopback BASE_URL/,
  );
  expect(() => parseEnvironment({ ADMIN_SECOND_FACTOR: "off" })).toThrow(
    "ADMIN_SECOND_FACTOR is wrong",
  );
});

test("webhooks go to public addresses alone, unless loopback is allowed under a loopback address", () => {
  expect(parseEnvironment({}).webhookLoopback).toBe("refused");
  const allowed = { WEBHOOK_LOOPBACK: "allowed" };
  for (const base of ["http://localhost:3000", "https://127.0.0.1:8443", "http://[::1]:3000"])
    expect(parseEnvironment({ ...allowed, BASE_URL: base }).webhookLoopback).toBe("allowed");
  const elsewhere = { ...allowed, BASE_URL: "https://adjutant.example", DEMO: "1" };
  expect(() => parseEnvironment(elsewhere)).toThrow(
    /^WEBHOOK_LOOPBACK=allowed is allowed with a loopback BASE_URL/,
  );
  expect(() => parseEnvironment({ WEBHOOK_LOOPBACK: "on" })).toThrow("WEBHOOK_LOOPBACK is wrong");
});

const functions = {
  SERVERLESS: "on",
  DATABASE_URL: "postgres://db/adjutant",
  SERVER_SECRET: secret,
  TRUSTED_PLATFORM_HEADER: "x-vercel-forwarded-for",
  UPSTASH_REDIS_REST_URL: "https://store.example",
  UPSTASH_REDIS_REST_TOKEN: "of-the-store",
  CRON_SECRET: "of-the-timetable-0123456789-abcdefghij",
};

test("functions of a platform run jobs for its timetable alone", () => {
  const { serverless, jobs } = parseEnvironment({ ...functions, JOBS: "inline" });
  expect(serverless).toEqual({ cronSecret: functions.CRON_SECRET, cronSeconds: 50 });
  expect(jobs).toBe("off");
  expect(parseEnvironment({}).serverless).toBeUndefined();
});

test.each([
  [{ DATABASE_URL: undefined }, "DATABASE_URL"],
  [{ TRUSTED_PLATFORM_HEADER: undefined }, "TRUSTED_PLATFORM_HEADER"],
  [{ CRON_SECRET: undefined }, "CRON_SECRET"],
  [{ CRON_SECRET: "short" }, "CRON_SECRET"],
  [
    { UPSTASH_REDIS_REST_URL: undefined, UPSTASH_REDIS_REST_TOKEN: undefined },
    "UPSTASH_REDIS_REST_URL",
  ],
])("functions of a platform do not start with %j", (changed, named) => {
  expect(() => parseEnvironment({ ...functions, ...changed })).toThrow(named);
});
