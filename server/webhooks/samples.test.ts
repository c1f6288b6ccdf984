import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { receiver } from "../../docs/webhooks/receiver";
import { mintWebhookSecret, signWebhook } from "./signature";

/** The guide's receivers, unmodified, with real messages. */
const secretOf = (seed: number) => mintWebhookSecret((count) => new Uint8Array(count).fill(seed));
const [secret, old] = [secretOf(1), secretOf(2)];
const ends: (() => void)[] = [];
afterAll(() => {
  for (const end of ends) end();
});

interface Running {
  readonly url: string;
  /** Ids of accepted events. */
  readonly taken: () => readonly string[];
}

async function inTypeScript(): Promise<Running> {
  const taken: string[] = [];
  const server = receiver(secret, ({ id }) => taken.push(id)).listen(0, "127.0.0.1");
  ends.push(() => server.close());
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, taken: () => taken };
}

async function inPython(): Promise<Running> {
  const file = path.join(import.meta.dirname, "../../docs/webhooks/receiver.py");
  const child: ChildProcess = spawn("python3", [file], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: "0" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  ends.push(() => child.kill("SIGKILL"));
  let said = "";
  await new Promise<void>((resolve) => {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("\n")) resolve();
    });
  });
  // Its threads print at the same time, so an id may be in the middle of a line.
  const taken = () => [...said.matchAll(/evt_(?:\d+|forged)/g)].map(([id]) => id);
  return { url: `http://127.0.0.1:${/\d+/.exec(said)?.[0]}/`, taken };
}

const hasPython = spawnSync("python3", ["--version"]).status === 0;
const samples: [string, () => Promise<Running>][] = [
  ["TypeScript", inTypeScript],
  ...(hasPython ? ([["Python", inPython]] satisfies [string, () => Promise<Running>][]) : []),
];

describe.each(samples)("the receiver in %s", (_language, start) => {
  const running = start();
  const now = () => new Date();
  const eventOf = (id: string) => ({
    id,
    body: JSON.stringify({ id, type: "stocks.tick", data: {} }),
  });
  async function send(
    message: { id: string; body: string },
    { at = now(), secrets = [secret] as [string, string?], sent = message.body } = {},
  ) {
    const { url } = await running;
    const headers = { "content-type": "application/json", ...signWebhook(message, at, secrets) };
    const answer = await fetch(url, { method: "POST", headers, body: sent });
    return { status: answer.status, text: await answer.text() };
  }
  const taken = async () => (await running).taken();

  test("takes an event once, however often it is sent", async () => {
    for (let times = 0; times < 3; times++)
      expect(await send(eventOf("evt_1"))).toMatchObject({ status: 204 });
    await send(eventOf("evt_2"));
    await expect.poll(taken).toEqual(["evt_1", "evt_2"]);
  });

  test("takes an event that two secrets signed, while one of them is its own", async () => {
    expect(await send(eventOf("evt_3"), { secrets: [secret, old] })).toMatchObject({ status: 204 });
    expect(await send(eventOf("evt_4"), { secrets: [old, secret] })).toMatchObject({ status: 204 });
    await expect.poll(taken).toEqual(expect.arrayContaining(["evt_3", "evt_4"]));
  });

  test("sends the code of a verification back", async () => {
    const body = JSON.stringify({ id: "evt_v", type: "endpoint.verify", data: { code: "AbC-_9" } });
    expect(await send({ id: "evt_v", body })).toEqual({ status: 200, text: "AbC-_9" });
  });

  test("refuses another secret, another body, an old attempt, one from the future and a request without headers", async () => {
    const minutes = (count: number) => new Date(now().getTime() + count * 60_000);
    const forged = eventOf("evt_forged");
    expect(await send(forged, { secrets: [old] })).toMatchObject({ status: 401 });
    expect(await send(forged, { sent: forged.body.replace("tick", "tock") })).toMatchObject({
      status: 401,
    });
    expect(await send(forged, { at: minutes(-6) })).toMatchObject({ status: 401 });
    expect(await send(forged, { at: minutes(6) })).toMatchObject({ status: 401 });
    const { url } = await running;
    expect((await fetch(url, { method: "POST", body: forged.body })).status).toBe(401);
    expect(await taken()).not.toContain("evt_forged");
  });
});
