import { crimeRow } from "#simulator/crimes/crime-row";
import type { Crime } from "#simulator/crimes/crimes";
import type { Player } from "#simulator/players";
import type { Ask, Selection } from "./section";

/** Crimes of the player's faction that have not happened yet; none for a player without a faction. */
function openCrimes(player: Player, { world, crimes, now }: Ask): Crime[] {
  const faction = world.membership(player)?.faction;
  return faction ? crimes.current(faction, now) : [];
}

/** A faction on the old crimes has none of these. */
function notMigrated(player: Player, { world, crimes }: Ask): number | null {
  const faction = world.membership(player)?.faction;
  return faction && crimes.old(faction) !== null ? 27 : null;
}

const row = (crime: Crime, player: Player, { world, crimes, now, behaviour }: Ask) =>
  crimeRow(crime, { world, crimes, now, reader: player.index, numbered: behaviour.now().slotNumbers });

/** `user/organizedcrime`: the crime that the key's owner is in, or null. */
export const userCrime: Selection<Player> = {
  level: 2,
  own: true,
  refuses: notMigrated,
  answer: (player, ask) => {
    const mine = openCrimes(player, ask).find(({ slots, filled }) =>
      slots.some(({ index }, slot) => index === player.index && filled[slot]),
    );
    return { organizedCrime: mine ? row(mine, player, ask) : null };
  },
};

/** `user/organizedcrimes`: the empty slots of recruiting crimes with the owner's own pass rates. */
export const userCrimes: Selection<Player> = {
  level: 2,
  own: true,
  refuses: notMigrated,
  answer: (player, ask) => ({
    organizedcrimes: openCrimes(player, ask)
      .filter(({ status }) => status === "Recruiting")
      .map((crime) => row(crime, player, ask))
      .map((crime) => ({ ...crime, slots: crime.slots.filter(({ user }) => user === null) })),
  }),
};
