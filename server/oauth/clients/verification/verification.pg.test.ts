import { expect, test } from "vitest";
import { verifyApplication } from "#server/admin/applications";
import { listApplicationHistory } from "#server/audit/read-events";
import { endpointNetwork } from "#server/testing/endpoint-network";
import { mintApplication } from "#server/testing/oauth-world";
import { mintMember } from "#server/testing/team-world";
import { twoInstances } from "#server/testing/two-instances";
import { mintUser } from "#server/testing/world";
import { showApplication } from "../own-applications";
import { acceptApplication, offerApplication } from "../team/transfer";
import { proveDomain, removeDomain, setDomain, watchDomainsJob } from "./domain-acts";
import { challengeOf } from "./domain-proof";
import { requestVerification, showVerification, withdrawRequest } from "./verification-requests";

const domain = "clerk.example";
const { dns, receiver, outside } = await endpointNetwork(domain);
const instances = await twoInstances();
const { clock } = instances.here;
const ctx = { ...instances.here.ctx, ...outside };
const there = { ...instances.there.ctx, ...outside };
const admin = { ...(await mintUser(ctx)), admin: true };
const rounds = 10;

receiver.behave((socket) => socket.end("HTTP/1.1 404 X\r\nContent-Length: 0\r\n\r\n"));

async function clerk() {
  clock.advance(60);
  const owner = await mintUser(ctx);
  const app = await mintApplication(ctx, owner, {
    ...{ description: "Keeps the book.", clientUri: `https://${domain}/` },
  });
  const { clientId } = app;
  await setDomain(ctx, owner, { clientId, domain });
  const challenge = challengeOf({ clientId, ownerId: owner.accountId, domain });
  dns.answer((_name, type) => (type === "TXT" ? [challenge] : ["127.0.0.1"]));
  const acts = async (act: string) => {
    const nouns = [act.slice(0, act.indexOf("."))];
    const { events } = await listApplicationHistory(ctx, { clientId, nouns });
    return events.filter((event) => event.act === act).length;
  };
  const domainNow = async (user = owner) =>
    (await showVerification(ctx, user, { clientId })).domain;
  return { owner, app, clientId, acts, domainNow };
}

const outcomes = async (acts: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(acts)).map((each) =>
    each.status === "fulfilled" ? (each.value ?? "done") : String(each.reason.name),
  );

test("a domain that is checked on two instances at once is proven once", async () => {
  for (let round = 0; round < rounds; round++) {
    const { owner, clientId, acts } = await clerk();
    const key = { clientId };
    expect(await outcomes([proveDomain(ctx, owner, key), proveDomain(there, owner, key)])).toEqual([
      "found",
      "found",
    ]);
    expect(await acts("application_domain.proven")).toBe(1);
  }
});

test("PT-27: a check that ends after the domain changed, or went to another owner, proves nothing", async () => {
  for (let round = 0; round < rounds; round++) {
    const { owner, app, clientId, domainNow } = await clerk();
    const next = await mintMember(ctx, app, "developer");
    await offerApplication(ctx, owner, { clientId, playerId: next.playerId });
    const change = [
      () => removeDomain(there, owner, { clientId }),
      () => setDomain(there, owner, { clientId, domain: "other.example" }),
      () => acceptApplication(there, next, { clientId }),
    ][round % 3];
    await outcomes([proveDomain(ctx, owner, { clientId }), change?.() ?? Promise.resolve()]);
    expect((await domainNow(next))?.provenAt ?? null).toBeNull();
  }
});

test("each due domain is checked by one of two instances", async () => {
  const all = [];
  for (let n = 0; n < 6; n++) all.push(await clerk());
  const challenges = new Set(
    all.map(({ clientId, owner }) => challengeOf({ clientId, ownerId: owner.accountId, domain })),
  );
  dns.answer((_name, type) => (type === "TXT" ? [...challenges] : ["127.0.0.1"]));
  for (const { owner, clientId } of all) await proveDomain(ctx, owner, { clientId });
  dns.answer((_name, type) => (type === "TXT" ? [] : ["127.0.0.1"]));
  clock.advance(8 * 86_400);
  const work = { budget: 100, signal: new AbortController().signal };
  const [one, other] = await Promise.all([
    watchDomainsJob.run(ctx, work),
    watchDomainsJob.run(there, work),
  ]);
  expect((one.missing ?? 0) + (other.missing ?? 0)).toBeGreaterThanOrEqual(6);
  for (const { domainNow } of all) expect((await domainNow())?.misses).toBe(1);
});

test("a request that is withdrawn while an admin decides ends in one of both ways", async () => {
  for (let round = 0; round < rounds; round++) {
    const { owner, clientId, acts } = await clerk();
    await proveDomain(ctx, owner, { clientId });
    expect(
      await outcomes([
        requestVerification(ctx, owner, { clientId }),
        requestVerification(there, owner, { clientId }),
      ]),
    ).toEqual(["done", "done"]);
    expect(await acts("verification_request.made")).toBe(1);
    const { version } = await showApplication(ctx, owner, clientId);
    const asked = { clientId, version, verified: true, reason: "Known." };
    const [decided] = await outcomes([
      verifyApplication(there, admin, asked),
      withdrawRequest(ctx, owner, { clientId }),
    ]);
    const { verified, request } = await showVerification(ctx, owner, { clientId });
    expect([decided, verified, request?.outcome]).toEqual(
      decided === "done" ? ["done", true, "verified"] : ["outdated", false, "withdrawn"],
    );
  }
});
