import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { passkeys, sessions } from "#db/schema/accounts";
import { isFailure } from "#server/failures";
import { testDatabase } from "#server/testing/database";
import { outcomeOf } from "#server/testing/outcome-of";
import { passkeyBrowser, playerWithPasskey } from "#server/testing/passkeys";
import { testContext } from "#server/testing/test-context";
import { sentFrom } from "#server/testing/world";
import { createSession } from "../sessions";
import { maxPasskeys, removePasskey, showPasskeys } from "./passkey-acts";

const database = await testDatabase();
const here = await testContext({ database });
/** A second instance on the same database. */
const elsewhere = await testContext({ database, beside: here });
const { ctx } = here;
const on = ctx.database.query;

const times = (count: number, outcomes: readonly string[], outcome: string) =>
  expect(outcomes.filter((each) => each === outcome)).toHaveLength(count);

test("one answer sent ten times at once, to two instances, signs in exactly once", async () => {
  const { user, signature, signInWith } = await playerWithPasskey(here);
  const answer = await signature();
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      outcomeOf(signInWith(answer, { on: at % 2 ? elsewhere.ctx : ctx })),
    ),
  );
  times(1, outcomes, "accepted");
  times(9, outcomes, "passkey-expired");
  expect(
    await on.select().from(sessions).where(eq(sessions.accountId, user.accountId)),
  ).toHaveLength(1);
});

test("of signatures with one count at once, as a copied passkey makes them, one signs in", async () => {
  const { signature, signInWith } = await playerWithPasskey(here);
  const answers = await Promise.all(Array.from({ length: 6 }, () => signature({ counter: 4 })));
  const outcomes = await Promise.all(
    answers.map((answer, at) =>
      outcomeOf(signInWith(answer, { on: at % 2 ? elsewhere.ctx : ctx })),
    ),
  );
  times(1, outcomes, "accepted");
  times(5, outcomes, "passkey-copied");
});

test("a sign-in that races with the removal of its passkey leaves no session behind", async () => {
  for (let time = 0; time < 8; time++) {
    const { user, signature, signInWith } = await playerWithPasskey(here);
    const browser = { address: null, userAgent: null };
    const kept = await createSession(ctx, on, {
      accountId: user.accountId,
      from: browser,
      proof: "game-key",
    });
    const [{ id } = { id: "" }] = (await showPasskeys(ctx, user)).passkeys;
    const answer = await signature();
    const origin = { requestId: "r", address: null };
    await Promise.all([
      outcomeOf(signInWith(answer, { on: elsewhere.ctx })),
      removePasskey(ctx, sentFrom({ ...user, sessionHash: kept.sessionHash }, origin), { id }),
    ]);
    const left = await on.select().from(sessions).where(eq(sessions.accountId, user.accountId));
    expect(left.map(({ idHash }) => idHash)).toEqual([kept.sessionHash]);
  }
});

test("passkeys that are added at once stop at twenty", async () => {
  const { user } = await playerWithPasskey(here);
  for (let held = 1; held < maxPasskeys - 2; held++) await passkeyBrowser(ctx).add(user);
  const added = await Promise.allSettled(
    Array.from({ length: 6 }, (_, at) => passkeyBrowser(at % 2 ? elsewhere.ctx : ctx).add(user)),
  );
  const refused = added.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  expect(refused).toHaveLength(4);
  expect(refused.every((reason) => isFailure(reason))).toBe(true);
  expect(await on.$count(passkeys, eq(passkeys.accountId, user.accountId))).toBe(maxPasskeys);
});
