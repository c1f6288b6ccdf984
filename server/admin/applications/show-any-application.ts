import type { Context } from "#server/context";
import { UnknownOAuthClient } from "#server/failures";
import { type InspectedApplication, inspectApplication } from "./store";

/** An application, whoever owns it, with all that its developer said of it. @throws UnknownOAuthClient */
export async function showAnyApplication(ctx: Context, clientId: string): Promise<InspectedApplication> {
  const application = await inspectApplication(ctx.database.query, clientId, ctx.now());
  if (!application) throw UnknownOAuthClient.because();
  return application;
}
