import type { GameErrorKind } from "#server/game/game-error";

/** What the game's refusal of a key means for that key. */
export interface KeyAct {
  /** The state it goes into. A dead key is wiped. */
  readonly state?: "dead" | "paused" | "disabled";
  /** The owner's position no longer grants Faction API Access. */
  readonly endsFactionAccess?: true;
  /** This key is too weak for faction data, whatever the owner's position grants. */
  readonly tooWeakForFaction?: true;
  /** What the owner is told. `…` stands for the key's last four characters. */
  readonly notice?: string;
}

/** The acts by class of error. A class that is not listed says nothing about the key: it stays as it is. */
export const keyActs: Readonly<Partial<Record<GameErrorKind, KeyAct>>> = {
  "key-dead": {
    state: "dead",
    notice: "The game no longer knows your key ending in …, so it was removed here. Sign in with a new key.",
  },
  "key-paused": {
    state: "paused",
    notice: "Your game key ending in … is paused in the game and is not used until you resume it there.",
  },
  "owner-unavailable": {
    state: "disabled",
    notice: "The game does not answer your key ending in … at the moment. It is tried again once a day.",
  },
  "private-selection": {
    endsFactionAccess: true,
    notice: "Your position in the faction no longer grants API access, so your key ending in … reads no faction data.",
  },
  "access-level": { tooWeakForFaction: true },
};
