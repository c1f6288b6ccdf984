import { beforeEach, describe, expect, test } from "vitest";
import { applicationDomains, verificationRequests } from "#db/schema/oauth";
import type { PortalUser } from "#server/actor";
import { testDatabase } from "#server/testing/database";
import { endpointNetwork } from "#server/testing/endpoint-network";
import { applicationInput, mintApplication, mintTokens } from "#server/testing/oauth-world";
import { listOwnNotices } from "#server/testing/own-notices";
import { portalOf } from "#server/testing/portal-script";
import { mintMember } from "#server/testing/team-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { refusalOf } from "#server/trpc/refusal";
import { watchDomainsJob } from "./domain-acts";

const domain = "clerk.example";
const { dns, receiver, outside } = await endpointNetwork(domain);
const world = await testContext({
  database: await testDatabase(),
  settings: { adminUserIds: [1], adminSecondFactor: "waived" },
});
const { clock } = world;
const ctx = { ...world.ctx, ...outside };
const admin: PortalUser = { ...(await mintUser(ctx, { id: 1 })), admin: true };
const portal = (user: PortalUser) => portalOf(ctx, { ...user, confirmedAt: ctx.now() });
const day = 86_400;
const work = { budget: 100, signal: new AbortController().signal };
const watch = () => watchDomainsJob.run(ctx, work);
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => "done",
    (thrown) => refusalOf(thrown).message,
  );

let txt: readonly string[] | "no such name" | "failure" = [];
beforeEach(async () => {
  clock.advance(60);
  await ctx.database.query.delete(applicationDomains);
  await ctx.database.query.delete(verificationRequests);
  txt = [];
  dns.answer((_name, type) => (type === "TXT" ? txt : ["127.0.0.1"]));
  receiver.behave((socket) => socket.end("HTTP/1.1 404 X\r\nContent-Length: 0\r\n\r\n"));
});

/** Complete, with its home page on the domain. */
async function clerk() {
  const owner = await mintUser(ctx);
  const app = await mintApplication(ctx, owner, {
    ...{ name: `Clerk ${owner.playerId}`, description: "Keeps the vault's book." },
    clientUri: `https://www.${domain}/`,
  });
  const { clientId } = app;
  const { verification, applications, team } = portal(owner);
  const show = () => verification.show({ clientId });
  const acts = async () =>
    (await team.history({ clientId })).events.map(({ act, details }) => [act, details] as const);
  const named = async () => {
    await verification.nameDomain({ clientId, domain });
    txt = [(await show()).domain?.challenge ?? ""];
  };
  const proven = async () => {
    await named();
    expect(await verification.prove({ clientId })).toBe("found");
  };
  const version = async () => (await applications.get({ clientId })).version;
  const verified = async () => (await applications.get({ clientId })).verified;
  const decide = async (isGood: boolean, reason = "Known for years.") => {
    const asked = { clientId, version: await version(), reason };
    const { admin: acting } = portal(admin);
    if (isGood) await acting.verifyApplication({ ...asked, verified: true });
    else await acting.declineVerification(asked);
  };
  return {
    owner,
    app,
    clientId,
    verification,
    show,
    acts,
    named,
    proven,
    version,
    verified,
    decide,
  };
}

const looked = async (clientId: string) => portal(admin).admin.application({ clientId });

describe("a domain", () => {
  test("is named, proven by DNS, and shown to players as proven", async () => {
    const { app, clientId, verification, show, named, acts } = await clerk();
    expect((await show()).domain).toBeNull();
    expect(await refusal(verification.prove({ clientId }))).toBe("Enter a domain first.");
    await named();
    txt = "no such name";
    expect(await verification.prove({ clientId })).toBe("missing");
    expect((await show()).domain).toMatchObject({
      ...{ domain, provenAt: null, dnsFinding: "no-record", fileFinding: "status-404" },
      recordName: `_adjutant.${domain}`,
    });
    await named();
    expect(await verification.prove({ clientId })).toBe("found");
    expect((await show()).domain).toMatchObject({ provenAt: ctx.now(), provenBy: "dns" });
    const player = await mintUser(ctx);
    await mintTokens(ctx, app, { user: player });
    const [consent] = await portal(player).consents.list();
    expect(consent?.application.provenDomain).toBe(domain);
    expect((await acts()).slice(0, 2)).toEqual([
      ["application_domain.proven", { domain, provenBy: "dns" }],
      ["application_domain.named", { domain }],
    ]);
  });

  test("is proven by a file", async () => {
    const { clientId, verification, show, named } = await clerk();
    await named();
    const [challenge = ""] = txt;
    txt = [];
    receiver.behave((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${challenge.length}\r\n\r\n${challenge}`),
    );
    expect(await verification.prove({ clientId })).toBe("found");
    expect((await show()).domain?.provenBy).toBe("file");
  });

  test("of another name begins unproven, and one that is removed is gone", async () => {
    const { clientId, verification, show, proven, acts } = await clerk();
    await proven();
    await verification.nameDomain({ clientId, domain });
    expect((await show()).domain?.provenAt).not.toBeNull();
    await verification.nameDomain({ clientId, domain: "Bücher.example" });
    expect((await show()).domain).toMatchObject({
      ...{ domain: "xn--bcher-kva.example", provenAt: null },
    });
    await verification.removeDomain({ clientId });
    expect((await show()).domain).toBeNull();
    expect((await acts())[0]).toEqual([
      "application_domain.removed",
      { domain: "xn--bcher-kva.example" },
    ]);
  });

  test("that cannot be a public host is refused at its field", async () => {
    const { clientId, verification, show } = await clerk();
    const thrown = await verification
      .nameDomain({ clientId, domain: "127.0.0.1" })
      .catch((error) => refusalOf(error));
    expect(thrown).toMatchObject({ field: "domain" });
    expect((await show()).domain).toBeNull();
  });

  test("PT-27: goes with a transfer, but its proof does not: the new owner has another one", async () => {
    const { app, owner, clientId, show, proven, acts } = await clerk();
    await proven();
    const next = await mintMember(ctx, app, "developer");
    await portal(owner).team.offer({ clientId, playerId: next.playerId });
    await portal(next).team.accept({ clientId });
    expect((await show()).domain).toMatchObject({ domain, provenAt: null });
    expect(await portal(next).verification.prove({ clientId })).toBe("missing");
    expect((await show()).domain?.challenge).not.toBe(txt[0]);
    expect(await acts()).toContainEqual([
      "application_domain.unproven",
      { domain, why: "new owner" },
    ]);
  });

  test("is checked at most ten times a minute", async () => {
    const { clientId, verification, named } = await clerk();
    await named();
    for (let n = 0; n < 10; n++) await verification.prove({ clientId });
    expect(await refusal(verification.prove({ clientId }))).toMatch(/^Too many checks/);
  });

  test("of a deleted application is no longer stored or checked", async () => {
    const { owner, clientId, proven } = await clerk();
    await proven();
    const { name } = await portal(owner).applications.get({ clientId });
    await portal(owner).applications.delete({ clientId, confirmName: name });
    clock.advance(8 * day);
    expect(await watch()).not.toHaveProperty("found");
  });
});

describe("a proven domain (PT-27)", () => {
  test("is checked each week, and not before", async () => {
    const { show, proven } = await clerk();
    await proven();
    clock.advance(6 * day);
    expect(await watch()).toEqual({ failed: 0, skipped: 0 });
    clock.advance(day);
    expect(await watch()).toMatchObject({ found: 1 });
    expect((await show()).domain?.seenAt).toEqual(ctx.now());
    expect(await watch()).toEqual({ failed: 0, skipped: 0 });
  });

  test("stays proven through three missing checks, and is withdrawn with its verification by the fourth", async () => {
    const { owner, clientId, show, proven, decide, verified, verification, acts } = await clerk();
    await proven();
    await decide(true);
    txt = "no such name";
    clock.advance(7 * day);
    for (let checks = 1; checks <= 3; checks++) {
      expect(await watch()).toMatchObject({ missing: 1 });
      expect((await show()).domain).toMatchObject({ provenBy: "dns", misses: checks });
      clock.advance(day);
    }
    expect(await verified()).toBe(true);
    expect(await watch()).toMatchObject({ withdrawn: 1 });
    expect((await show()).domain).toMatchObject({ domain, provenAt: null });
    expect(await verified()).toBe(false);
    expect((await acts()).slice(0, 2)).toEqual([
      ["application.unverified", expect.objectContaining({ changed: ["domain"] })],
      ["application_domain.unproven", { domain, why: "not found" }],
    ]);
    const told = (await listOwnNotices(ctx, owner)).filter(({ kind }) => kind.startsWith("domain"));
    expect(told.map(({ kind }) => kind)).toEqual(["domain-unproven", "domain-missed"]);
    expect(told[0]?.text).toContain("Its verification has ended too.");
    clock.advance(day);
    expect(await watch()).not.toHaveProperty("missing");
    txt = [(await show()).domain?.challenge ?? ""];
    expect(await verification.prove({ clientId })).toBe("found");
  });

  test("that comes back is proven as before, and starts anew", async () => {
    const { show, proven } = await clerk();
    await proven();
    const published = txt;
    txt = [];
    clock.advance(7 * day);
    await watch();
    txt = published;
    clock.advance(day);
    expect(await watch()).toMatchObject({ found: 1 });
    expect((await show()).domain?.misses).toBe(0);
  });

  test("is not lost by nameservers that fail, before four weeks", async () => {
    const { show, proven, acts } = await clerk();
    await proven();
    txt = "failure";
    clock.advance(7 * day);
    for (let days = 7; days < 28; days++) {
      expect(await watch()).toMatchObject({ unclear: 1 });
      clock.advance(day);
    }
    expect((await show()).domain).toMatchObject({ provenBy: "dns", misses: 0 });
    expect(await watch()).toMatchObject({ withdrawn: 1 });
    expect((await acts())[0]?.[1]).toEqual({ domain, why: "not readable for four weeks" });
  });

  test("is not lost by the first failing check after weeks without one", async () => {
    const { show, proven } = await clerk();
    await proven();
    const published = txt;
    txt = "failure";
    clock.advance(60 * day);
    expect(await watch()).toMatchObject({ unclear: 1 });
    expect((await show()).domain).toMatchObject({ provenBy: "dns", misses: 0 });
    txt = published;
    clock.advance(day);
    expect(await watch()).toMatchObject({ found: 1 });
  });

  test("may move from DNS to the file", async () => {
    const { show, proven } = await clerk();
    await proven();
    const [challenge = ""] = txt;
    txt = "failure";
    receiver.behave((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${challenge.length}\r\n\r\n${challenge}`),
    );
    clock.advance(7 * day);
    expect(await watch()).toMatchObject({ found: 1 });
    expect((await show()).domain?.provenBy).toBe("file");
  });
});

describe("a request for verification", () => {
  test("needs the whole checklist, and says what is missing", async () => {
    const { owner, clientId, verification, show, proven, version } = await clerk();
    expect(await refusal(verification.request({ clientId }))).toBe(
      "Still missing: A proven domain; Home page on that domain.",
    );
    await proven();
    const { kind: _, ...changes } = applicationInput({ name: "Clerk" });
    await portal(owner).applications.update({ ...changes, clientId, version: await version() });
    expect((await show()).checklist.filter(({ met }) => !met).map(({ label }) => label)).toEqual([
      "Home page on that domain",
      "A description",
    ]);
    expect((await show()).request).toBeNull();
  });

  test("waits for an admin, who sees proof, checklist and what changed, and says yes with a reason", async () => {
    const { owner, clientId, verification, show, proven, decide, verified, version } =
      await clerk();
    await proven();
    await verification.request({ clientId });
    await verification.request({ clientId });
    const { admin: queue } = portal(admin);
    const waiting = await queue.applications({ state: "requested" });
    expect(waiting.rows.map((row) => row.clientId)).toContain(clientId);
    expect(await queue.verificationRequests()).toBe(waiting.rows.length);
    expect(await looked(clientId)).toMatchObject({
      ...{ requestedAt: ctx.now(), changes: null, domain: { name: domain, provenBy: "dns" } },
      checklist: expect.arrayContaining([{ label: "A proven domain", met: true }]),
    });
    await decide(true);
    expect(await verified()).toBe(true);
    expect((await show()).request).toMatchObject({
      ...{ outcome: "verified", reason: "Known for years." },
    });
    expect(await refusal(verification.request({ clientId }))).toMatch(/verified already/);
    expect((await listOwnNotices(ctx, owner))[0]?.text).toContain("Known for years.");

    const { kind: _, ...same } = applicationInput({
      ...{ name: "Clerk and Son", description: "Keeps the vault's book." },
      clientUri: `https://${domain}/`,
    });
    await portal(owner).applications.update({ ...same, clientId, version: await version() });
    expect(await verified()).toBe(false);
    await verification.request({ clientId });
    expect((await looked(clientId)).changes).toEqual({
      name: { from: expect.stringMatching(/^Clerk \d+$/), to: "Clerk and Son" },
      clientUri: { from: `https://www.${domain}/`, to: `https://${domain}/` },
    });
  });

  test("is declined with a reason, which the whole team reads, and may be made again", async () => {
    const { app, clientId, verification, show, proven, decide, verified, acts } = await clerk();
    const viewer = await mintMember(ctx, app, "viewer");
    await proven();
    await verification.request({ clientId });
    await decide(false, "The privacy policy does not load.");
    expect(await verified()).toBe(false);
    expect((await show()).request).toMatchObject({ outcome: "declined" });
    expect((await listOwnNotices(ctx, viewer))[0]).toMatchObject({
      kind: "verification-declined",
      text: expect.stringContaining("The privacy policy does not load."),
    });
    expect((await acts())[0]).toEqual([
      "verification_request.declined",
      expect.objectContaining({ reason: "The privacy policy does not load." }),
    ]);
    expect(await refusal(decide(false))).toBe("No request for verification is open.");
    await verification.request({ clientId });
    expect((await show()).request?.outcome).toBeNull();
    expect((await acts())[0]?.[0]).toBe("verification_request.made");
  });

  test("is withdrawn by its owner, and by a transfer", async () => {
    const { app, owner, clientId, verification, show, proven, acts } = await clerk();
    await proven();
    await verification.request({ clientId });
    await verification.withdraw({ clientId });
    expect((await show()).request?.outcome).toBe("withdrawn");
    expect((await acts())[0]?.[0]).toBe("verification_request.withdrawn");
    await verification.request({ clientId });
    const next = await mintMember(ctx, app, "developer");
    await portal(owner).team.offer({ clientId, playerId: next.playerId });
    await portal(next).team.accept({ clientId });
    expect((await show()).request?.outcome).toBe("withdrawn");
    const { rows } = await portal(admin).admin.applications({ state: "requested" });
    expect(rows.map((row) => row.clientId)).not.toContain(clientId);
  });

  test("is decided by the version that was looked at: what happened since makes the answer outdated", async () => {
    const { clientId, verification, proven, version, verified } = await clerk();
    await proven();
    await verification.request({ clientId });
    const seen = await version();
    await verification.nameDomain({ clientId, domain: "other.example" });
    const asked = { clientId, version: seen, reason: "Fine." };
    const { admin: acting } = portal(admin);
    for (const act of [
      () => acting.verifyApplication({ ...asked, verified: true }),
      () => acting.declineVerification(asked),
    ])
      expect(await act().catch((thrown) => refusalOf(thrown).reason)).toBe("APPLICATION_CHANGED");
    expect(await verified()).toBe(false);
  });

  test("is in the export of its owner, with the domain", async () => {
    const { owner, clientId, verification, proven } = await clerk();
    await proven();
    await verification.request({ clientId });
    const { json } = await portal(owner).account.export();
    const { applications } = JSON.parse(json);
    expect(applications).toEqual([
      expect.objectContaining({
        domain: expect.objectContaining({ domain, provenBy: "dns" }),
        verificationRequest: expect.objectContaining({ outcome: null }),
      }),
    ]);
  });
});
