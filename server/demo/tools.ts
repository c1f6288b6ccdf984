import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { saveApproval } from "#server/oauth/authorize/decide-request";
import { registerApplication } from "#server/oauth/clients/application-acts";
import { ApplicationInput } from "#server/oauth/clients/contract";
import { addTestPlayer } from "#server/oauth/clients/team/team-acts";
import { reportApplication } from "#server/oauth/reports/report-acts";
import { type DemoPerson, demoPerson } from "#simulator/demo-people";
import { demoSource } from "./demo-world";
import { findAccountId } from "./store";

async function asUser(ctx: Context, role: DemoPerson["role"]): Promise<PortalUser> {
  const { playerId } = demoPerson(role);
  const accountId = await findAccountId(ctx.database.query, playerId);
  if (accountId === null) throw new Error(`The demo's ${role} is not enrolled.`);
  const now = ctx.now();
  return {
    kind: "portal",
    accountId,
    playerId,
    sessionHash: "",
    from: demoSource,
    authenticatedAt: now,
    confirmedAt: now,
    secondFactor: "off",
    admin: false,
  };
}

const site = "https://tools.example";
const input = (name: string, description: string) =>
  ApplicationInput.parse({
    kind: "public",
    name,
    description,
    redirectUris: [`${site}/cb`],
    scopes: ["identity", "faction:attacks"],
    clientUri: `${site}/`,
    tosUri: `${site}/terms`,
    privacyUri: `${site}/privacy`,
    privacy: {
      data: "Your name and your faction's hits.",
      use: "To list open retaliations.",
      retention: "Thirty days.",
      deletion: "Write to the developer.",
      sharing: "Your faction.",
    },
  });

/** Two applications of the demo's developer: one in test, and one that a player reported. */
export async function openTools(ctx: Context): Promise<void> {
  const developer = await asUser(ctx, "developer");
  const inTest = { ...input("Chain Watch", "Calls the next hitter of a chain."), privacyUri: "" };
  const { clientId } = await registerApplication(ctx, developer, inTest);
  for (const role of ["member", "outsider"] as const) {
    const player = String(demoPerson(role).playerId);
    await addTestPlayer(ctx, developer, { clientId, player });
  }

  const open = input("Loot Herald", "Says when a boss can be attacked.");
  const reported = await registerApplication(ctx, developer, open);
  const client = await ctx.tokens.findClient(reported.clientId);
  if (!client) throw new Error("The demo's application is not stored.");
  const member = await asUser(ctx, "member");
  const request = { scopes: client.scopes, prompt: null, redirectUri: `${site}/cb` };
  await ctx.database.transaction((tx) => saveApproval(ctx, tx, member, { request, client }));
  await reportApplication(ctx, member, {
    clientId: reported.clientId,
    reason: "scopes",
    text: "It reads my faction's hits, but only shows loot.",
  });
}
