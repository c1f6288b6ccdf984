import { toUnixSeconds } from "#server/platform/time";
import { home } from "#simulator/names";
import { dayOf } from "#simulator/people/people";
import type { Player } from "#simulator/players";
import type { Selection } from "./section";

/** `user/money`: what the key's owner has, and what is theirs in their faction's vault. */
export const money: Selection<Player> = {
  level: 3,
  own: true,
  answer: (player, { world, people, vault, now }) => {
    const faction = world.membership(player)?.faction;
    const owned = (currency: "money" | "points") =>
      faction ? vault.balance(faction, player.index, { currency, now }) : 0;
    const purse = people.purse(player.index, dayOf(now));
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

/** `user/travel`: where the key's owner is headed; the home town for who is not under way. */
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
