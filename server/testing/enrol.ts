import type { Context } from "#server/context";
import { enrolPlayer } from "#server/users/enrol-player";
import { type DemoPerson, demoPersonOf } from "#simulator/demo-people";
import { portalUser, testSource } from "./world";

/** Enrols like a sign-in with the person's key, but opens no session. */
export async function enrol(ctx: Context, role: DemoPerson["role"]) {
  const person = demoPersonOf(role);
  const info = await ctx.game.keyInfo(person.key);
  const { accountId, key } = await enrolPlayer(ctx, {
    gameKey: person.key,
    info,
    from: testSource,
  });
  if (!key) throw new Error(`The account of ${person.name} is banned.`);
  const { playerId } = person;
  return { ...person, ...portalUser(ctx, { accountId, playerId }), openKey: key };
}
