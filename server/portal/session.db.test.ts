import { expect, test } from "vitest";
import type { PortalUser } from "#server/actor";
import { fulfilRequest } from "#server/faction/banking/request-acts";
import { bankingWorld } from "#server/testing/banking-world";
import { testDatabase } from "#server/testing/database";
import { mintApplication } from "#server/testing/oauth-world";
import { portalOf } from "#server/testing/portal-script";

const { ctx, people, ask, place, forgetRequests } = await bankingWorld(await testDatabase());

type Role = keyof typeof people;

function signedIn(role: Role): PortalUser {
  return people[role];
}

const sessionOf = (role: Role) => portalOf(ctx, signedIn(role)).session;
const startPage = (role: Role): Promise<string> => sessionOf(role).startPage();

test("a player begins at the account, a developer at the applications, and who may pay at what waits for them", async () => {
  for (const role of ["member", "loner", "developer", "banker"] as const)
    expect(await startPage(role)).toBe("/account");
  await mintApplication(ctx, signedIn("developer"));
  expect(await startPage("developer")).toBe("/developers");

  await ask();
  expect(await startPage("banker")).toBe("/faction/banking");
  expect(await startPage("member"), "whose own request it is").toBe("/account");
  expect(await startPage("outsider"), "a banker of another faction").toBe("/account");
  await place("banker", { positionName: "Member" });
  expect(await startPage("banker"), "who may not pay any more").toBe("/account");
  await place("banker", { positionName: "Banker" });
  await forgetRequests();
  expect(await startPage("banker")).toBe("/account");
});

test("a banker is told on every page how many requests wait for a payment, and who made them how many notices are unread", async () => {
  const shown = async (role: Role) => {
    const { payableRequests, unreadNotices } = (await sessionOf(role).current()) ?? {};
    return { payableRequests, unreadNotices };
  };
  const first = await ask();
  await ask();
  expect(await shown("banker")).toMatchObject({ payableRequests: 2 });
  expect(await shown("outsider"), "a banker of another faction").toMatchObject({
    payableRequests: 0,
  });
  const before = await shown("member");
  expect(before).toMatchObject({ payableRequests: 0 });
  await fulfilRequest(ctx, people.banker, { request: first.guid });
  expect(await shown("banker")).toMatchObject({ payableRequests: 1 });
  expect((await shown("member")).unreadNotices).toBe((before.unreadNotices ?? 0) + 1);
});
