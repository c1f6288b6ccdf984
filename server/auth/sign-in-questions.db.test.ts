import { count, eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { auditLog } from "#db/schema/operations";
import { testDatabase } from "#server/testing/database";
import { outcomeOf } from "#server/testing/outcome-of";
import { signedIn } from "#server/testing/signed-in";
import { testContext } from "#server/testing/test-context";
import { sentFrom, visitor } from "#server/testing/world";
import { confirmByGameKey } from "./confirmation";
import { signInWithGameKey } from "./sign-in-with-game-key";

const { ctx, clock, simulator } = await testContext({ database: await testDatabase() });
const keys = simulator.demoKeys;

let addresses = 0;
const origin = (address = `198.51.100.${addresses++}`) => ({
  requestId: ctx.ids.request(),
  address,
});
const signIn = (gameKey: string, from = origin(), on = ctx) =>
  signInWithGameKey(on, sentFrom(visitor, from), {
    gameKey,
    previousSession: null,
  });
const noted = async () => {
  const rows = ctx.database.query
    .select({ n: count() })
    .from(auditLog)
    .where(eq(auditLog.act, "session.refused"));
  return (await rows)[0]?.n ?? 0;
};

test("right tries with one key, from wherever, do not use up the calls that all players share", async () => {
  await signIn(keys.loner);
  clock.advance(60);
  const asked = vi.spyOn(ctx.game, "keyInfo");
  const outcomes: string[] = [];
  for (let n = 0; n < 25; n++) outcomes.push(await outcomeOf(signIn(keys.loner)));
  expect(outcomes).toEqual([...Array(20).fill("accepted"), ...Array(5).fill("throttled")]);
  expect(asked).toHaveBeenCalledTimes(20);
  expect(await outcomeOf(signIn(keys.member))).toBe("accepted");
  clock.advance(60);
  expect(await outcomeOf(signIn(keys.loner))).toBe("accepted");
});

test("the questions about one key are as many as the setting says", async () => {
  clock.advance(60);
  const rates = { ...ctx.settings.rates, keyQuestions: 2 };
  const strict = { ...ctx, settings: { ...ctx.settings, rates } };
  const outcomes: string[] = [];
  for (let n = 0; n < 3; n++) outcomes.push(await outcomeOf(signIn(keys.loner, origin(), strict)));
  expect(outcomes).toEqual(["accepted", "accepted", "throttled"]);
});

test("confirmations count with the sign-ins of the account", async () => {
  clock.advance(60);
  const { user } = signedIn(await signIn(keys.loner));
  const asked = vi.spyOn(ctx.game, "keyInfo");
  const outcomes: string[] = [];
  for (let n = 0; n < 20; n++)
    outcomes.push(
      await outcomeOf(confirmByGameKey(ctx, sentFrom(user, origin()), { gameKey: keys.loner })),
    );
  expect(outcomes.slice(-2)).toEqual(["accepted", "throttled"]);
  expect(asked).toHaveBeenCalledTimes(19);
});

test("while the game is away an address fills the audit log with no more than sixty refusals a minute", async () => {
  clock.advance(60);
  simulator.control.addFault({ path: "key", http: 502, times: 70 });
  const from = origin("203.0.113.9");
  const before = await noted();
  for (let n = 0; n < 70; n++)
    expect(await outcomeOf(signIn(`Other${String(n).padStart(11, "0")}`, from))).toBe(
      "game-unavailable",
    );
  expect((await noted()) - before).toBe(60);
});
