import { expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { countOwnUnread, markOwnNoticesRead, showNotices } from "./notices";

const { ctx, clock } = await testContext({ database: await testDatabase() });

test("each of 120 notices stands on one page of the list, and the unread ones of all pages are counted", async () => {
  const user = await mintUser(ctx);
  for (let sent = 0; sent < 120; sent++) {
    if (sent % 7 === 0) clock.advance(1);
    await ctx.notify(ctx.database.query, {
      accountId: user.accountId,
      kind: "test",
      text: `Number ${sent}`,
    });
  }
  const told: string[] = [];
  const sizes: number[] = [];
  for (let after: string | null = null; sizes.length === 0 || after !== null; ) {
    const { rows, next, unread } = await showNotices(ctx, user, { after });
    expect(unread).toBe(120);
    told.push(...rows.map(({ text }) => text));
    sizes.push(rows.length);
    after = next;
  }
  expect(sizes).toEqual([50, 50, 20]);
  expect(new Set(told).size).toBe(120);
  await markOwnNoticesRead(ctx, user);
  expect((await showNotices(ctx, user, { after: null })).unread).toBe(0);
  expect(await countOwnUnread(ctx, user)).toBe(0);
});
