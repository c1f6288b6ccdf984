import type { Context } from "#server/context";
import { enrolPlayer } from "#server/users/enrol-player";
import { type DemoPerson, demoPeople } from "#simulator/demo-people";

/** The demo person of a role, who exists in every simulated world. */
export function demoPerson(role: DemoPerson["role"]): DemoPerson {
  const person = demoPeople.find((candidate) => candidate.role === role);
  if (!person) throw new Error(`No demo person is a ${role}.`);
  return person;
}

/** Makes a demo person known with their key, as a sign-in does, but without a session. */
export async function enrol(ctx: Context, role: DemoPerson["role"]) {
  const person = demoPerson(role);
  const { account, key } = await enrolPlayer(ctx, { gameKey: person.key, info: await ctx.game.keyInfo(person.key) });
  if (!key) throw new Error(`The account of ${person.name} is banned.`);
  return { ...person, accountId: account.accountId, openKey: key };
}
