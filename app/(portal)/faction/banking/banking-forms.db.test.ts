import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { POST as postSignInKey } from "#app/sign-in/key/route";
import { notices } from "#db/schema/accounts";
import {
  bankingServer,
  bankingWorld,
  copperTide,
  lanternwatch,
} from "#server/testing/banking-world";
import { testDatabase } from "#server/testing/database";
import { at, plainBrowser, shareContext } from "#server/testing/plain-browser";
import { POST as postBalance } from "./balance/route";
import { POST as postCancelVaultRequest } from "./cancel/route";
import { POST as postClaim } from "./fulfill/[guid]/claim/route";
import { POST as postFulfilment } from "./fulfill/[guid]/confirm/route";
import { POST as postLedgerFile } from "./ledger/export/route";
import { POST as postVaultRequest } from "./request/route";

const world = await bankingWorld(await testDatabase());
const { ctx, clock, people, ask, stored, place } = world;
afterAll(shareContext(ctx));

const signedIn = async (role: keyof typeof people) => {
  const visitor = plainBrowser(ctx);
  await visitor.post(postSignInKey, { game_key: people[role].key });
  const csrf = await visitor.csrf();
  return {
    send: async (
      target: (request: Request) => Promise<Response>,
      fields: Record<string, string>,
    ) => {
      const response = await visitor.post(target, { csrf, ...fields });
      return {
        status: response.status,
        to: response.headers.get("location"),
        text: await response.text(),
      };
    },
    post: visitor.post,
  };
};
const row = async (id: number) => (await stored()).find((request) => request.id === id);
const wanted = { amount: "1.5m", currency: "money_balance", waits: "30m" };
const fulfilment = (guid: string) => at(postFulfilment, { guid });

beforeEach(async () => {
  await world.forgetRequests();
  world.nextMinute();
});

describe("asking", () => {
  test("makes the request of the form, which ends when it says", async () => {
    const member = await signedIn("member");
    const { status, to } = await member.send(postVaultRequest, wanted);
    const [made] = await stored();
    expect([status, to]).toEqual([303, `/faction/banking?done=requested&request=${made?.id}`]);
    expect(made).toMatchObject({
      amount: 1_500_000,
      expiresAt: new Date(clock.now().getTime() + 1_800_000),
    });
    await member.send(postVaultRequest, {
      ...wanted,
      amount: " 20 ",
      currency: "points_balance",
      waits: "none",
    });
    expect((await stored())[1]).toMatchObject({
      amount: 20,
      currency: "points_balance",
      expiresAt: null,
    });
  });

  test.each(["1.5", "-5", "", "0x10", "\u202e1m"])(
    "with an amount of %j leads back to what was typed",
    async (amount) => {
      const { to } = await (await signedIn("member")).send(postVaultRequest, { ...wanted, amount });
      expect(to).toMatch(
        /^\/faction\/banking\?error=amount(&amount=.+)?&currency=money_balance&waits=30m$/,
      );
      expect(await stored()).toEqual([]);
    },
  );

  test("for more than there is, without a link, and without a faction says why", async () => {
    const member = await signedIn("member");
    expect((await member.send(postVaultRequest, { ...wanted, amount: "9b" })).to).toContain(
      "error=1602",
    );
    await world.link(lanternwatch, null);
    expect((await member.send(postVaultRequest, wanted)).to).toContain("error=1001");
    await world.link(lanternwatch, bankingServer);
    expect((await (await signedIn("loner")).send(postVaultRequest, wanted)).to).toContain(
      "error=1102",
    );
    expect(await stored()).toEqual([]);
  });
  test("signed out leads to the sign-in, and from there back to what was typed", async () => {
    const stranger = await plainBrowser(ctx).post(postVaultRequest, wanted);
    expect(stranger.headers.get("location")).toBe(
      `/sign-in?next=${encodeURIComponent("/faction/banking?amount=1.5m&currency=money_balance&waits=30m")}`,
    );
  });
});

describe("the ledger's file", () => {
  test("holds what the address asks for, and of a member their own alone", async () => {
    const [own, bankers] = [await ask(), await ask({}, "banker")];
    for (const { guid } of [own, bankers])
      await (await signedIn("banker")).send(fulfilment(guid), {});
    const file = async (role: keyof typeof people, fields: Record<string, string>) => {
      const { status, text } = await (await signedIn(role)).send(postLedgerFile, fields);
      return [
        status,
        text
          .split("\r\n")
          .slice(1)
          .map((line) => Number(line.split(",")[0])),
      ];
    };
    expect(await file("banker", { days: "7" })).toEqual([200, [bankers.id, own.id]]);
    expect(await file("banker", { member: String(people.member.playerId) })).toEqual([
      200,
      [own.id],
    ]);
    expect(await file("member", { member: String(people.banker.playerId) })).toEqual([
      200,
      [own.id],
    ]);
    const stranger = await plainBrowser(ctx).post(postLedgerFile, { days: "90" });
    expect(stranger.headers.get("location")).toContain(
      encodeURIComponent("/faction/banking/ledger?days=90"),
    );
  });
});

describe("cancelling", () => {
  const named = (request: number, faction = lanternwatch) => ({
    faction: String(faction),
    request: String(request),
  });

  test("is for one's own, and for a banker for anybody's", async () => {
    const [own, other] = [await ask(), await ask()];
    const member = await signedIn("member");
    const banker = await signedIn("banker");
    expect((await member.send(postCancelVaultRequest, named(own.id))).to).toBe(
      "/faction/banking?done=cancelled",
    );
    expect((await banker.send(postCancelVaultRequest, named(other.id))).to).toBe(
      "/faction/banking?done=cancelled",
    );
    expect((await row(other.id))?.closedBy).toBe(people.banker.playerId);
  });

  test("of another member's request may say why, and the member reads it", async () => {
    const { id } = await ask();
    const banker = await signedIn("banker");
    const reason = "  Ask after the war.  ";
    await banker.send(postCancelVaultRequest, { ...named(id), reason });
    expect(await row(id)).toMatchObject({ status: "cancelled", reason: "Ask after the war." });
    const told = await ctx.database.query.select().from(notices);
    expect(told.at(-1)?.text).toMatch(/Reason: Ask after the war\.$/);
    const { id: other } = await ask();
    const long = { ...named(other), reason: "x".repeat(201) };
    expect((await banker.send(postCancelVaultRequest, long)).status).toBe(400);
    expect((await row(other))?.status).toBe("pending");
  });

  test("of what is over, somebody else's, or another faction's changes nothing, and says so in the same words", async () => {
    const { id } = await ask({}, "banker");
    const member = await signedIn("member");
    for (const fields of [
      named(id),
      named(2_147_483_647),
      named(id, copperTide),
      { faction: "7001", request: "x" },
    ])
      expect((await member.send(postCancelVaultRequest, fields)).to).toBe(
        "/faction/banking?error=gone",
      );
    expect((await row(id))?.status).toBe("pending");
  });
});

describe("the claim form", () => {
  test("claims a request for one banker, and releases it", async () => {
    const { id, guid } = await ask();
    const banker = await signedIn("banker");
    const claim = at(postClaim, { guid });
    expect((await banker.send(claim, { act: "claim" })).to).toBe(
      `/faction/banking/fulfill/${guid}`,
    );
    expect((await row(id))?.claimedBy).toBe(people.banker.playerId);
    await banker.send(claim, { act: "release" });
    expect((await row(id))?.claimedBy).toBeNull();
    expect((await (await signedIn("member")).send(claim, { act: "claim" })).status).toBe(403);
    expect((await (await signedIn("outsider")).send(claim, { act: "claim" })).status).toBe(404);
    expect((await banker.send(claim, { act: "steal" })).status).toBe(400);
    expect((await row(id))?.claimedBy).toBeNull();
  });
});

describe("the balance form", () => {
  test("reads the vault from the game, and leads back to the page that shows it", async () => {
    const banker = await signedIn("banker");
    expect((await banker.send(postBalance, {})).to).toBe("/faction/banking");
    expect((await banker.send(postBalance, { to: "balances" })).to).toBe(
      "/faction/banking/balances",
    );
    expect((await (await signedIn("loner")).send(postBalance, {})).to).toBe(
      "/faction/banking?error=1102",
    );
  });
});

describe("the fulfilment form", () => {
  test("marks the request as paid, once; who comes late is told so", async () => {
    const { id, guid } = await ask();
    const banker = await signedIn("banker");
    const page = `/faction/banking/fulfill/${guid}`;
    expect((await banker.send(fulfilment(guid), {})).to).toBe(`${page}?done=fulfilled`);
    expect((await banker.send(fulfilment(guid), {})).to).toBe(`${page}?done=late`);
    expect(await row(id)).toMatchObject({ status: "fulfilled", closedBy: people.banker.playerId });
  });

  test("§7 row 48: of an expired request changes nothing", async () => {
    const { guid } = await ask({ expiresAt: new Date(clock.now().getTime() + 1_000) });
    const banker = await signedIn("banker");
    clock.advance(1);
    expect((await banker.send(fulfilment(guid), {})).to).toContain("done=late");
  });

  test("§7 rows 48 and 49: for another member, a stranger and another faction's banker there is no such page", async () => {
    const { id, guid } = await ask();
    await place("outsider", { positionName: "Banker" });
    const namingNone = (text: string) => text.replace(/fulfill\/[0-9a-f-]{36}/, "fulfill/…");
    const missing = await (await signedIn("banker")).send(fulfilment(ctx.ids.uuid()), {});
    for (const role of ["developer", "outsider", "loner"] as const) {
      const answer = await (await signedIn(role)).send(fulfilment(guid), {});
      expect([role, answer.status, namingNone(answer.text)]).toEqual([
        role,
        404,
        namingNone(missing.text),
      ]);
    }
    const nobody = await plainBrowser(ctx).post(fulfilment(guid), {});
    expect(nobody.headers.get("location")).toContain(
      "/sign-in?next=%2Ffaction%2Fbanking%2Ffulfill%2F",
    );
    expect((await row(id))?.status).toBe("pending");
  });

  test("is not for the member who made the request, who may read its page", async () => {
    const { id, guid } = await ask();
    expect((await (await signedIn("member")).send(fulfilment(guid), {})).status).toBe(403);
    expect((await row(id))?.status).toBe("pending");
  });

  test("marks again what was not seen, after a question of its own", async () => {
    const { id, guid } = await ask();
    const banker = await signedIn("banker");
    await banker.send(fulfilment(guid), {});
    await world.payUnseen();
    expect((await banker.send(fulfilment(guid), {})).to).toContain("done=late");
    expect((await banker.send(fulfilment(guid), { again: "yes" })).to).toContain("done=fulfilled");
    expect(await row(id)).toMatchObject({ verification: "waiting" });
  });
});
