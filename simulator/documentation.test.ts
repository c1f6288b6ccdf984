import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { onLoopback } from "#server/testing/on-loopback";
import { createSimulatorServer, verbNames } from "./http-server";
import { createSimulator } from "./simulator";

const page = readFileSync(path.join(import.meta.dirname, "../docs/simulator.md"), "utf8");
const printed = "http://127.0.0.1:4100";

const commands = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = ""]) =>
  block.trim().split("\n"),
);

const simulator = createSimulator({ seed: 1, epoch: new Date("2026-01-01T00:00:00.000Z") });
const port = await onLoopback(createSimulatorServer(simulator), afterAll);
const origin = `http://127.0.0.1:${port}`;

async function curl(command: string): Promise<{ status: number; body: unknown }> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? "",
  );
  const headers = new Headers();
  let [url, method, body]: [string, string, string | undefined] = ["", "GET", undefined];
  for (let word = 1; word < words.length; word++) {
    const value = words[word + 1] ?? "";
    if (words[word] === "-X") method = value;
    else if (words[word] === "-d") body = value;
    else if (words[word] === "-H")
      headers.append(value.split(": ")[0] ?? "", value.split(": ")[1] ?? "");
    else {
      url = words[word] ?? "";
      continue;
    }
    word += 1;
  }
  expect(url.startsWith(printed)).toBe(true);
  // Like `curl`, sends no content type without a body.
  const response = await fetch(url.replace(printed, origin), {
    method,
    headers,
    ...(body ? { body } : {}),
  });
  return { status: response.status, body: await response.json() };
}

test.each(commands)("%s", async (command) => {
  const { status, body } = await curl(command);
  expect([status, body]).toEqual([200, expect.not.objectContaining({ error: expect.anything() })]);
});

test("every verb has an example", () => {
  const shown = commands.flatMap((command) => /__sim\/([a-z-]+)/.exec(command)?.[1] ?? []);
  expect([...new Set(shown)].sort()).toEqual(verbNames(simulator).sort());
});

test("the paging links of an answer lead back to the address that was asked", async () => {
  const key = "key=DemoBanker000001";
  const first = await (
    await fetch(`${origin}/v2/faction/news?cat=giveFunds&limit=1&${key}`)
  ).json();
  const { next } = first._metadata.links;
  expect(next.startsWith(`${origin}/v2/faction/news?`)).toBe(true);
  expect((await (await fetch(`${next}&${key}`)).json()).news).toHaveLength(1);
});

test("wrong input is told field by field", async () => {
  const headers = { "content-type": "application/json" };
  const send = async (verb: string, body: string) => {
    const response = await fetch(`${origin}/__sim/${verb}`, { method: "POST", headers, body });
    return [response.status, (await response.json()).error];
  };
  expect(
    await send("add-crime", '{"factionId":7001,"memberIds":[],"readyIn":0,"extra":1}'),
  ).toEqual([400, expect.stringMatching(/→ at memberIds/)]);
  expect(await send("give-funds", '{"factionId":7001,"by":1002,"to":1003}')).toEqual([
    400,
    expect.any(String),
  ]);
  expect(await send("set-balance", "{not json")).toEqual([400, expect.stringMatching(/JSON/)]);
});
