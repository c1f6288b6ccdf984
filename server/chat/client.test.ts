import { describe, expect, test } from "vitest";
import { startChatApi } from "#server/testing/chat-api-double";
import { createChatClient } from "./client";
import { isChatFailure } from "./transport";

const api = await startChatApi();
const { apiUrl, token } = api.settings;
let now = new Date("2026-03-01T12:00:00Z");
const open = (more: { token?: string; timeoutMs?: number } = {}) =>
  createChatClient({
    baseUrl: apiUrl,
    token,
    fetch: (request, init) => fetch(request, init),
    now: () => now,
    ...more,
  });
const chat = open();
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (thrown: unknown) => (isChatFailure(thrown) ? thrown : undefined),
  );
/** Above 2^53, which a JavaScript number would round. */
const channel = 1_234_567_890_123_456_789n;

describe("a message", () => {
  test("is posted with its card, its buttons and mentions of the given roles alone", async () => {
    const { messageId } = await chat.postMessage(
      channel,
      {
        text: "New request",
        mentions: ["1234567890123456781"],
        card: {
          title: "Request 12",
          body: "Ada_Quill asks for $5",
          tone: "info",
          fields: [
            { name: "Amount", value: "$5" },
            { name: "Expires", at: 1_800_000_000 },
          ],
        },
        buttons: [
          { label: "Open", url: "https://tool.example/x" },
          { label: "Cancel", action: "vault:cancel:12", tone: "error" },
        ],
      },
      "mark",
    );
    const call = api.calls.at(-1);
    expect(call).toMatchObject({
      method: "POST",
      path: `/channels/${channel}/messages`,
      authorization: "Bot of-the-bot",
      body: {
        content: "<@&1234567890123456781> New request",
        allowed_mentions: { parse: [], roles: ["1234567890123456781"] },
        nonce: "mark",
        enforce_nonce: true,
        embeds: [
          {
            title: "Request 12",
            description: "Ada\\_Quill asks for $5",
            color: 0x7df9ff,
            fields: [
              { name: "Amount", value: "$5", inline: true },
              { name: "Expires", value: "<t:1800000000:R>", inline: true },
            ],
          },
        ],
        components: [
          {
            type: 1,
            components: [
              { type: 2, style: 5, label: "Open", url: "https://tool.example/x" },
              { type: 2, style: 4, label: "Cancel", custom_id: "vault:cancel:12" },
            ],
          },
        ],
      },
    });
    expect(String(messageId)).toBe(api.messages.at(-1)?.id);
  });

  test("loses its buttons when it is edited to one without", async () => {
    const { messageId } = await chat.postMessage(
      channel,
      { buttons: [{ label: "Go", action: "go" }] },
      "buttons",
    );
    await chat.editMessage(channel, messageId, { card: { title: "Done", body: "", tone: "good" } });
    expect(api.messages.at(-1)?.body).toMatchObject({
      components: [],
      embeds: [{ color: 0x32cd32 }],
    });
  });

  test("calls nobody and obeys no markup that a player's name contains", async () => {
    await chat.postMessage(
      channel,
      { text: "@everyone <@123> **bold** [a](https://b.example)" },
      "name",
    );
    expect(api.messages.at(-1)?.body).toMatchObject({
      content: "@everyone \\<@123\\> \\*\\*bold\\*\\* \\[a\\](https://b.example)",
      allowed_mentions: { parse: [], roles: [] },
    });
  });

  test("that is too long for the chat is cut, never between a mark and what it marks", async () => {
    await chat.postMessage(channel, { text: "_".repeat(5_000) }, "long");
    const content = String(api.messages.at(-1)?.body.content);
    expect(content.length).toBeLessThanOrEqual(2_000);
    expect(content).toMatch(/^(\\_)+…$/);
  });
});

describe("a failure", () => {
  test.each([
    [404, "gone"],
    [403, "forbidden"],
    [400, "refused"],
    [401, "retry"],
    [500, "retry"],
    [302, "refused"],
  ])("with status %i is %s", async (status, kind) => {
    api.fail({ when: "GET /guilds/1", status });
    const failure = await failureOf(chat.readServer(1n));
    expect(failure).toMatchObject({ kind });
    expect(failure?.message).not.toContain(token);
  });

  test.each([403, 404])(
    "with status %i that is not the API's own may go well later",
    async (status) => {
      api.fail({ when: "GET /guilds/1", status, body: { blocked: "by what stands in front" } });
      expect(await failureOf(chat.readServer(1n))).toMatchObject({ kind: "retry" });
    },
  );

  test("of the connection may go well later", async () => {
    api.fail({ when: "GET /guilds/1", answerLost: true });
    expect(await failureOf(chat.readServer(1n))).toMatchObject({ kind: "retry" });
    const deaf = createChatClient({ baseUrl: "http://127.0.0.1:9/", token, fetch, now: () => now });
    expect(await failureOf(deaf.listServers())).toMatchObject({ kind: "retry" });
  });

  test("to answer in time ends the call", async () => {
    const silent = createChatClient({
      baseUrl: apiUrl,
      token,
      fetch: () => new Promise(() => {}),
      now: () => now,
      timeoutMs: 20,
    });
    expect(await failureOf(silent.listServers())).toMatchObject({ kind: "retry" });
  });

  test("after too many calls makes the next ones of the channel wait as long as the chat said, and no others", async () => {
    const limited = open();
    api.fail({
      when: "POST /channels/77/",
      status: 429,
      body: { retry_after: 2.5, global: false },
    });
    const failure = await failureOf(limited.postMessage(77n, { text: "1" }, "a"));
    expect(failure).toMatchObject({ kind: "retry", retryAfter: 2.5 });
    const before = api.calls.length;
    expect(await failureOf(limited.postMessage(77n, { text: "1" }, "a"))).toMatchObject({
      retryAfter: 2.5,
    });
    expect(api.calls.length).toBe(before);
    await limited.postMessage(78n, { text: "1" }, "a");
    now = new Date(now.getTime() + 2_500);
    await limited.postMessage(77n, { text: "1" }, "a");
  });

  test("that concerns the bot as a whole makes every call wait", async () => {
    const limited = open();
    api.fail({
      when: "POST /channels/77/",
      status: 429,
      headers: { "retry-after": "3", "x-ratelimit-global": "true" },
    });
    await failureOf(limited.postMessage(77n, { text: "1" }, "b"));
    expect(await failureOf(limited.listServers())).toMatchObject({ retryAfter: 3 });
  });

  test("never tells the secret of an interaction", async () => {
    api.fail({ when: "/webhooks/", status: 404 });
    const failure = await failureOf(
      chat.finishInteraction({ applicationId: 5n, token: "tell-nobody" }, { text: "x" }),
    );
    expect(failure?.message).not.toContain("tell-nobody");
  });
});

describe("a server", () => {
  api.servers.push(
    ...Array.from({ length: 250 }, (_, index) => ({
      id: String(1_000n + BigInt(index)),
      name: `Server ${index}`,
      owner_id: "5",
      roles: [
        { id: String(1_000n + BigInt(index)), name: "@everyone", permissions: "8", position: 0 },
        { id: "21", name: "Low", permissions: "1024", position: 1 },
        { id: "22", name: "High", permissions: "2251799813685256", position: 2 },
      ],
      members: Array.from({ length: 1_500 }, (_, at) => ({
        user: { id: String(at + 1), ...(at === 1_400 && { bot: true }) },
        roles: at >= 1_399 && at <= 1_401 ? ["22"] : ["21"],
      })),
      channels: [
        { id: "31", name: "voice", type: 2, position: 0 },
        { id: "32", name: "below", type: 0, position: 2 },
        { id: "33", name: "above", type: 0, position: 1 },
      ],
    })),
  );

  test("is listed with all others, page by page", async () => {
    const servers = await chat.listServers();
    expect(servers).toHaveLength(250);
    expect(servers.at(-1)).toEqual({ serverId: 1_249n, name: "Server 249" });
  });

  test("tells its roles from the highest, and which of them administer it; not the one that everybody has", async () => {
    expect(await chat.listRoles(1_000n)).toEqual([
      { roleId: 22n, name: "High", administrator: true },
      { roleId: 21n, name: "Low", administrator: false },
    ]);
  });

  test("tells the holders of a role over all pages, without bots", async () => {
    expect(await chat.listHolders(1_000n, [22n])).toEqual([1_400n, 1_402n]);
  });

  test("tells its channels of text from top to bottom", async () => {
    expect((await chat.listChannels(1_000n)).map(({ name }) => name)).toEqual(["above", "below"]);
  });
});

test("commands are registered for servers, in place of all that were before", async () => {
  await chat.registerCommands([
    {
      name: "withdraw",
      description: "Ask for money.",
      options: [
        { name: "amount", description: "How much.", kind: "text", required: true },
        { name: "id", description: "Which.", kind: "number", required: false },
      ],
    },
  ]);
  expect(api.calls.at(-1)).toMatchObject({
    method: "PUT",
    path: "/applications/1400000000000000001/commands",
    body: [
      {
        name: "withdraw",
        type: 1,
        contexts: [0],
        options: [
          { name: "amount", type: 3, required: true },
          { name: "id", type: 4, required: false, min_value: 1 },
        ],
      },
    ],
  });
});
