import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { grants } from "#db/schema/oauth";
import { mintApplication, mintVisitor } from "#server/testing/oauth-world";
import { twoInstances } from "#server/testing/two-instances";
import { revokeAllConsents } from "../consents/consent-acts";
import { issueDeveloperToken } from "./own-token";

const { here, there } = await twoInstances();
const { ctx } = here;

test("many clicks at the same moment, also while access is revoked, each get a token and leave at most one live grant", async () => {
  for (let round = 0; round < 10; round++) {
    const { user } = await mintVisitor(ctx);
    const { clientId } = await mintApplication(ctx, user);
    const clicks = Array.from({ length: 6 }, (_, n) =>
      issueDeveloperToken(n % 2 === 0 ? ctx : there.ctx, user, { clientId }),
    );
    const issued = await Promise.all(clicks);
    expect(new Set(issued.map(({ accessToken }) => accessToken)).size).toBe(6);
    const own = () => ctx.database.query.select().from(grants).where(eq(grants.clientId, clientId));
    expect(await own()).toHaveLength(1);
    await Promise.all([
      revokeAllConsents(there.ctx, user),
      ...Array.from({ length: 4 }, () => issueDeveloperToken(ctx, user, { clientId })),
    ]);
    const live = (await own()).filter(({ revokedAt }) => revokedAt === null);
    expect(live.length).toBeLessThanOrEqual(1);
  }
});
