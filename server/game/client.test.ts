import { expect, test, vi } from "vitest";
import type { Fetch } from "#server/platform/upstream";
import { createSimulator } from "#simulator/simulator";
import { createGameClient, type GameClient } from "./client";
import { type GameCallError, isGameCallError } from "./game-call-error";

const key = "SecretSecret0123";
/** Half a minute before the day ends: nothing in the game's limits depends on it. */
const now = () => new Date("2026-03-01T23:59:30.000Z");
const basic = { basic: { id: 42, name: "Night Watch" } };

const clientOn = (fetch: Fetch, timeoutMs?: number) =>
  createGameClient({ baseUrl: "https://game.invalid/v2/", fetch, now, timeoutMs });

const answering = (body: BodyInit | null, init?: ResponseInit) =>
  clientOn(async () => new Response(body, init));

async function failure(call: Promise<unknown>): Promise<GameCallError> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!isGameCallError(error)) throw new Error(`Not a game error: ${error}`);
  return error;
}

const ask = (client: GameClient) => failure(client.factionBasic(key, 42));

function recorded(): { client: GameClient; requests: Request[] } {
  const requests: Request[] = [];
  const client = clientOn(async (request) => {
    requests.push(request);
    return Response.json(basic);
  });
  return { client, requests };
}

test("the key travels in the header alone, and the owner sees who asks", async () => {
  const { client, requests } = recorded();
  await client.factionBasic(key, 42);
  const [request] = requests;
  expect(request?.url).toBe("https://game.invalid/v2/faction/42/basic?comment=adjutant");
  expect(request?.headers.get("authorization")).toBe(`ApiKey ${key}`);
  expect(request?.headers.get("user-agent")).toBe("adjutant");
  expect(request?.method).toBe("GET");
});

test.each(["", "short", `${key}x`, "line\nbreak012345", "smörgåsbord01234", `${key.slice(1)} `])(
  "the text %j is no key: it is refused without a call",
  async (text) => {
    const { client, requests } = recorded();
    const error = await failure(client.keyInfo(text));
    expect(error.kind).toBe("key-dead");
    expect(requests).toEqual([]);
    if (text) expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(text);
  },
);

test("mistake 18: a lookup without an id, or with a key that is no text, never reaches the game", async () => {
  const { client, requests } = recorded();
  for (const id of [0, -1, Number.NaN, 1.5])
    for (const asking of [client.factionBasic(key, id), client.player(key, id)])
      expect((await failure(asking)).kind).toBe("unknown-id");
  const record = { key, playerId: 42 } as unknown as string;
  expect((await failure(client.factionBasic(record, 42))).kind).toBe("key-dead");
  expect(requests).toEqual([]);
});

test("a player's whole record costs one call", async () => {
  const simulator = createSimulator({ seed: 1, epoch: now(), world: "small" });
  const fetch = vi.fn(simulator.fetch);
  const client = createGameClient({ baseUrl: simulator.baseUrl, fetch, now: simulator.now });
  const player = await client.player(simulator.demoKeys.member, 1002);
  expect(player).toMatchObject({
    playerId: 1002,
    name: "Bruno_Vault",
    faction: { position: "Banker" },
  });
  expect(player.chatId).toBeGreaterThan(2n ** 53n);
  expect(fetch).toHaveBeenCalledTimes(1);
});

test.each([
  [7, "private-selection", undefined],
  [2, "key-dead", undefined],
  [5, "owner-budget", 60],
  [8, "ip-block", 60],
  [14, "daily-limit", 3_600],
  [99, "unexpected-answer", undefined],
])(
  "an error body with code %d and HTTP 200 is a failure of kind %s",
  async (code, kind, retryAfter) => {
    for (const body of [{ error: { code, error: "Words" } }, { code, error: "Words" }]) {
      const error = await ask(answering(JSON.stringify(body)));
      expect(error).toMatchObject({ kind, gameCode: code });
      expect(error.retryAfter).toBe(retryAfter);
    }
  },
);

test("an error body counts whatever the HTTP status is", async () => {
  const body = JSON.stringify({ error: { code: 18, error: "Paused" } });
  expect(await ask(answering(body, { status: 403 }))).toMatchObject({
    kind: "key-paused",
    gameCode: 18,
  });
});

test.each([
  [429, "ip-block", 60],
  [403, "front-refusal", undefined],
  [500, "server-side", undefined],
  [502, "server-side", undefined],
  [524, "server-side", undefined],
  [404, "unexpected-answer", undefined],
])("HTTP %d with a page of HTML is a failure of kind %s", async (status, kind, retryAfter) => {
  const error = await ask(answering("<html>Just a moment...</html>", { status }));
  expect(error.kind).toBe(kind);
  expect(error.gameCode).toBeUndefined();
  expect(error.retryAfter).toBe(retryAfter);
});

test("Retry-After of the game is obeyed", async () => {
  const error = await ask(answering("", { status: 429, headers: { "retry-after": "7" } }));
  expect(error.retryAfter).toBe(7);
});

test.each([
  ["HTML", "<html>Maintenance</html>"],
  ["half of the JSON", JSON.stringify(basic).slice(0, 30)],
  ["nothing", ""],
  ["a list", "[]"],
  ["null", "null"],
  ["another schema", JSON.stringify({ basic: { id: "42", name: 5 } })],
  ["brackets without end", "[".repeat(200_000)],
  ["bytes that are not UTF-8", new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])],
])("HTTP 200 with %s is an unexpected answer (RE-53)", async (_, body) => {
  expect((await ask(answering(body))).kind).toBe("unexpected-answer");
});

test("an answer of 50 MB is refused after the first five (RE-53)", async () => {
  const megabyte = new Uint8Array(1024 * 1024).fill(0x20);
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(megabyte);
      if (sent === 50) controller.close();
    },
  });
  expect((await ask(answering(body))).kind).toBe("unexpected-answer");
  expect(sent).toBeLessThan(10);
});

test("a redirect is refused and never followed (RE-53)", async () => {
  const requests: Request[] = [];
  const client = clientOn(async (request) => {
    requests.push(request);
    return new Response(null, { status: 302, headers: { location: "https://elsewhere.invalid/" } });
  });
  expect((await ask(client)).kind).toBe("unexpected-answer");
  expect(requests.map(({ url, redirect }) => [new URL(url).host, redirect])).toEqual([
    ["game.invalid", "manual"],
  ]);
});

test("a call that gets no answer ends at the time limit and is aborted (RE-52)", async () => {
  let signal: AbortSignal | undefined;
  const client = clientOn((_, init) => {
    signal = init.signal;
    return new Promise(() => {});
  }, 5);
  expect((await ask(client)).kind).toBe("timeout");
  expect(signal?.aborted).toBe(true);
});

test("a body that stops half-way ends at the time limit", async () => {
  const start = new TextEncoder().encode('{"basic": ');
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(start) });
  expect((await ask(clientOn(async () => new Response(body), 5))).kind).toBe("timeout");
});

test("a slow answer of the simulated game is a timeout, and leaves nothing running", async () => {
  const simulator = createSimulator({ seed: 1, epoch: now(), world: "small" });
  simulator.control.addFault({ delayMs: 60_000 });
  const { baseUrl, fetch } = simulator;
  const hasty = createGameClient({ baseUrl, fetch, now, timeoutMs: 5 });
  expect((await failure(hasty.keyInfo(simulator.demoKeys.member))).kind).toBe("timeout");
  const patient = createGameClient({ baseUrl, fetch, now });
  expect((await patient.keyInfo(simulator.demoKeys.member)).playerId).toBe(1003);
});

test("a connection that fails is a network failure which names the system's code", async () => {
  const client = clientOn(async () => {
    throw new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
  });
  const error = await ask(client);
  expect(error.kind).toBe("network");
  expect(error.message).toContain("ECONNREFUSED");
});

test("the key stands in no failure, whatever goes wrong", async () => {
  const echo = (request: Request) => `${request.url} ${request.headers.get("authorization")}`;
  const hostile: Fetch[] = [
    async (request) => {
      throw new Error(echo(request), { cause: { code: echo(request).length, request } });
    },
    async (request) => new Response(echo(request)),
    async (request) => Response.json({ error: { code: 2, error: echo(request) } }),
    async (request) => Response.json({ basic: { id: echo(request), [echo(request)]: 1 } }),
    async (request) =>
      new Response(echo(request), { status: 502, headers: { "retry-after": key } }),
  ];
  const user = { id: 42, faction_id: null };
  hostile.push(async (request) => {
    const access = { level: echo(request), type: "", faction: true };
    return Response.json({ info: { user, access, selections: { [echo(request)]: 1 } } });
  });
  for (const fetch of hostile) {
    const client = clientOn(fetch);
    for (const error of [await ask(client), await failure(client.keyInfo(key))])
      expect(`${error.stack} ${JSON.stringify(error)} ${error.cause}`).not.toContain(key);
  }
});

test("a 403 of the front door concerns the call that it met: other calls go on", async () => {
  let calls = 0;
  const client = clientOn(async (request) => {
    calls += 1;
    return request.url.includes("/faction/42/")
      ? new Response("Just a moment...", { status: 403 })
      : Response.json(basic);
  });
  for (let round = 0; round < 10; round++) {
    expect((await ask(client)).kind).toBe("front-refusal");
    await client.factionBasic(key, 43);
  }
  expect(calls).toBe(20);
  // A front door that turns everything away is an outage like any other.
  for (let call = 0; call < 8; call++) await ask(client);
  expect(calls).toBe(25);
});
