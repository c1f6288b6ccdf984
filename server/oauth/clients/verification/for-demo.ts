import type { Context } from "#server/context";
import { newClientId } from "../client";
import { ApplicationInput } from "../contract";
import { insertApplication } from "../store";
import { openVerificationRequest, saveDomain, updateDomain } from "./store";

const applications = [
  {
    name: "Tide Clerk",
    domain: "clerk.example",
    description: "Who waits for money, and how long.",
  },
  { name: "Tide Almanac", domain: "almanac.example", description: "Hours of a faction's hits." },
] as const;

/** Two applications with a proven domain, of which the second waits for verification. */
export async function registerForDemo(ctx: Context, ownerId: string): Promise<void> {
  const at = ctx.now();
  for (const { domain, ...named } of applications) {
    const site = `https://${domain}`;
    const clientId = newClientId(ctx.ids.bytes);
    const input = ApplicationInput.parse({
      kind: "confidential",
      ...named,
      redirectUris: [`${site}/callback`],
      scopes: ["identity", "faction:banking"],
      clientUri: `${site}/`,
      tosUri: `${site}/terms`,
      privacyUri: `${site}/privacy`,
      privacy: {
        data: "Your name, and your requests to the vault.",
        use: "Shows them to the bankers of your faction.",
        retention: "Thirty days after your last visit.",
        deletion: "Press Delete in the tool.",
        sharing: "Nobody.",
      },
    });
    await ctx.database.transaction(async (tx) => {
      await insertApplication(tx, { ...input, clientId, ownerId, createdAt: at, openedAt: at });
      await saveDomain(tx, { clientId, domain });
      // Without a next check: no nameserver knows these names.
      await updateDomain(tx, clientId, { provenAt: at, provenBy: "dns", seenAt: at });
      if (named.name === "Tide Almanac")
        await openVerificationRequest(tx, { clientId, requestedAt: at });
    });
  }
}
