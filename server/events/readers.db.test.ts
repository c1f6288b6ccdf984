import { execFile } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { revokeConsents } from "#server/oauth/consents/consent-acts";
import { testDatabase } from "#server/testing/database";
import { eventWorld, serveFront } from "#server/testing/event-world";
import { testContext } from "#server/testing/test-context";

const folder = path.join(import.meta.dirname, "../../docs/event-readers");
const { readEvents } = await import(path.join(folder, "read-events.js"));

// Runs the documentation's code samples unchanged over HTTP.

const rates = { holder: 100_000, peer: 100_000 };
// Streams end soon, so that readers have to come back.
const eventLimits = { age: 1_500, look: 100 };
const { ctx, clock } = await testContext({
  database: await testDatabase(),
  settings: { rates },
  eventLimits,
});
const { url } = await serveFront(ctx);
const { member, happen } = await eventWorld(ctx);

/** Runs the Python reader. @returns what it has printed so far, and what it returned in the end */
function python(token: string) {
  const script = `
import json, sys
sys.path.insert(0, ${JSON.stringify(folder)})
from read_events import read_events
hear = lambda event, kind: print(event["data"]["subject"]["id"] if "data" in event else kind, flush=True)
print(json.dumps(read_events(${JSON.stringify(url)}, lambda: ${JSON.stringify(token)}, hear)), flush=True)`;
  const told: string[] = [];
  const ended = new Promise<void>((resolve) => {
    const child = execFile("python3", ["-B", "-c", script], () => resolve());
    child.stdout?.on("data", (text: string) =>
      told.push(...text.split("\n").filter((line) => line !== "")),
    );
  });
  return { told, ended };
}

function javascript(token: string) {
  const told: string[] = [];
  const hear = (event: { data: { subject: { id: string } } }) =>
    void told.push(event.data.subject.id);
  const ended = readEvents({ url, token: () => token, hear }).then(
    (end: unknown) => void told.push(JSON.stringify(end)),
  );
  return { told, ended };
}

test.each([
  ["JavaScript", javascript],
  ["Python", python],
])(
  "the %s reader of the documentation misses nothing while its streams end, and stops where its access does",
  {
    timeout: 60_000,
  },
  async (_language, read) => {
    const { user, token, consentId } = await member();
    const { told, ended } = read(token);
    await expect.poll(() => ctx.events.feed.size()).toBe(1);
    clock.advance(1);
    await happen("first");
    await expect.poll(() => told).toEqual(["first"]);
    // The stream ends; the next one delivers later events.
    await expect.poll(() => ctx.events.feed.size()).toBe(0);
    await happen("between");
    await expect.poll(() => told).toEqual(["first", "between"]);
    await revokeConsents(ctx, user, { consentIds: [consentId] });
    await ended;
    expect(told).toHaveLength(3);
    expect(told[2]).toMatch(/revoked|InvalidAuthenticationInformation/);
  },
);
