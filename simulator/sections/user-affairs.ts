import { toUnixSeconds } from "#server/platform/time";
import type { Crime } from "#simulator/crimes/crimes";
import { home } from "#simulator/names";
import { dayNumberOf } from "#simulator/people/people";
import type { Player } from "#simulator/players";
import { crimeRow } from "#simulator/sections/faction-crimes";
import type { Ask, Selection } from "./section";

/** `user/money`: the owner's money, and their balance in the faction's vault. */
export const money: Selection<Player> = {
  level: 3,
  own: true,
  answer: (player, { world, people, vault, now }) => {
    const faction = world.membership(player)?.faction;
    const owned = (currency: "money" | "points") =>
      faction ? vault.balance(faction, player.index, { currency, now }) : 0;
    const purse = people.purse(player.index, dayNumberOf(now));
    return {
      money: {
        points: purse.points,
        wallet: purse.wallet,
        company: 0,
        vault: purse.vault,
        cayman_bank: purse.bank,
        city_bank: null,
        faction: faction ? { money: owned("money"), points: owned("points") } : null,
        daily_networth: purse.fortune,
      },
    };
  },
};

/** `user/travel`: the destination; the home town for a player at home. */
export const travel: Selection<Player> = {
  level: 2,
  own: true,
  answer: (player, { world, now }) => {
    const { state, description, trip } = world.status(player, now);
    const abroad = state === "Abroad" ? description.replace(/^In /, "") : null;
    return {
      travel: {
        destination: trip?.destination ?? abroad ?? home,
        method: "Standard",
        departed_at: trip ? toUnixSeconds(trip.departed) : null,
        arrival_at: trip ? toUnixSeconds(trip.arrives) : null,
        time_left: trip ? Math.max(0, toUnixSeconds(trip.arrives) - toUnixSeconds(now)) : 0,
      },
    };
  },
};

/** Open crimes of the player's faction; empty without a faction. */
function openCrimes(player: Player, { world, crimes, now }: Ask): Crime[] {
  const faction = world.membership(player)?.faction;
  return faction ? crimes.current(faction, now) : [];
}

/** A faction in the old crime system has none of these. */
function notMigrated(player: Player, { world, crimes }: Ask): number | null {
  const faction = world.membership(player)?.faction;
  return faction && crimes.old(faction) !== null ? 27 : null;
}

const row = (crime: Crime, player: Player, { world, crimes, now, behaviour }: Ask) =>
  crimeRow(crime, {
    world,
    crimes,
    now,
    reader: player.index,
    numbered: behaviour.now().slotNumbers,
  });

/** `user/organizedcrime`: the owner's current crime, or null. */
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

/** `user/organizedcrimes`: empty slots of recruiting crimes with the owner's pass rates. */
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
