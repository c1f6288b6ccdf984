import type { Context } from "#server/context";
import { UnknownOAuthClient } from "#server/failures";
import { countDevices } from "#server/oauth/clients/count-devices";
import { countPlayers } from "#server/oauth/clients/count-players";
import { mostPlayers } from "#server/oauth/clients/most-counted";
import { noTally, type Tally } from "#server/tally";
import { type InspectedApplication, inspectApplication } from "./store";

/** An application with all that its developer said of it, and how many it reaches. */
export interface ShownApplication extends InspectedApplication {
  /** Players with a live consent. */
  readonly users: Tally;
  /** Devices on which something of what they approved can still be used. */
  readonly grants: Tally;
}

/** An application, whoever owns it. @throws UnknownOAuthClient */
export async function showAnyApplication(ctx: Context, clientId: string): Promise<ShownApplication> {
  const application = await inspectApplication(ctx.database.query, clientId);
  if (!application) throw UnknownOAuthClient.because();
  const users = (await countPlayers(ctx, { clientIds: [clientId], most: mostPlayers })).get(clientId) ?? noTally;
  return { ...application, users, grants: (await countDevices(ctx, [clientId])).get(clientId) ?? noTally };
}
