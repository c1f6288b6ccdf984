import type { Context } from "#server/context";
import { saveApproval } from "#server/oauth/authorize/decide-request";
import { registerApplication } from "#server/oauth/clients/application-acts";
import { ApplicationInput } from "#server/oauth/clients/contract";
import { addTestPlayer } from "#server/oauth/clients/team/team-acts";
import { proveDomainForDemo } from "#server/oauth/clients/verification/domain-acts";
import { requestVerification } from "#server/oauth/clients/verification/verification-requests";
import { reportApplication } from "#server/oauth/reports/report-acts";
import { demoPersonOf } from "#simulator/demo-people";
import { demoUserOf } from "./demo-user";

type OwnWords = Pick<ApplicationInput, "kind" | "name" | "description" | "scopes" | "privacy">;

const input = (domain: string, words: OwnWords) =>
  ApplicationInput.parse({
    ...words,
    redirectUris: [`https://${domain}/callback`],
    clientUri: `https://${domain}/`,
    tosUri: `https://${domain}/terms`,
    privacyUri: `https://${domain}/privacy`,
  });

const clerk: Omit<OwnWords, "name" | "description"> = {
  kind: "confidential",
  scopes: ["identity", "faction:banking"],
  privacy: {
    data: "Your name, and your requests to the vault.",
    use: "Shows them to the bankers of your faction.",
    retention: "Thirty days after your last visit.",
    deletion: "Press Delete in the tool.",
    sharing: "Nobody.",
  },
};

/** Registers two applications with a proven domain; the second waits for verification. */
export async function registerProven(ctx: Context): Promise<void> {
  const owner = await demoUserOf(ctx, "outsider");
  const register = async (domain: string, name: string, description: string) => {
    const words = { ...clerk, name, description };
    const { clientId } = await registerApplication(ctx, owner, input(domain, words));
    await proveDomainForDemo(ctx, { clientId, domain });
    return clientId;
  };
  await register("clerk.example", "Tide Clerk", "Who waits for money, and how long.");
  const clientId = await register("almanac.example", "Tide Almanac", "Hours of a faction's hits.");
  await requestVerification(ctx, owner, { clientId });
}

const tool: Omit<OwnWords, "name" | "description"> = {
  kind: "public",
  scopes: ["identity", "faction:attacks"],
  privacy: {
    data: "Your name and your faction's hits.",
    use: "To list open retaliations.",
    retention: "Thirty days.",
    deletion: "Write to the developer.",
    sharing: "Your faction.",
  },
};

/** Registers two applications: one in test, and one that a player reported. */
export async function registerTools(ctx: Context): Promise<void> {
  const developer = await demoUserOf(ctx, "developer");
  const register = (name: string, description: string, missing: Partial<ApplicationInput> = {}) =>
    registerApplication(ctx, developer, {
      ...input("tools.example", { ...tool, name, description }),
      ...missing,
    });
  const inTest = await register("Chain Watch", "Calls the next hitter of a chain.", {
    privacyUri: "",
  });
  for (const role of ["member", "outsider"] as const) {
    const player = String(demoPersonOf(role).playerId);
    await addTestPlayer(ctx, developer, { clientId: inTest.clientId, player });
  }

  const { clientId } = await register("Loot Herald", "Says when a boss can be attacked.");
  const client = await ctx.tokens.findClient(clientId);
  if (!client) throw new Error("The demo's application is not stored.");
  const member = await demoUserOf(ctx, "member");
  const [redirectUri = ""] = client.redirectUris;
  const request = { scopes: client.scopes, prompt: null, redirectUri };
  await ctx.database.transaction((tx) => saveApproval(ctx, tx, member, { request, client }));
  await reportApplication(ctx, member, {
    clientId,
    reason: "scopes",
    text: "It reads my faction's hits, but only shows loot.",
  });
}
