/** Built-in icons: developers cannot upload their own. */
export const emblemSigns = [
  "anchor",
  "bell",
  "bot",
  "compass",
  "crosshair",
  "crown",
  "dices",
  "eye",
  "feather",
  "flame",
  "gem",
  "hammer",
  "hourglass",
  "landmark",
  "moon",
  "radar",
  "rocket",
  "scale",
  "shield",
  "skull",
  "star",
  "swords",
  "vault",
  "zap",
] as const;
export type EmblemSign = (typeof emblemSigns)[number];

export const emblemColours = ["blue", "green", "amber", "red", "grey", "navy"] as const;
export type EmblemColour = (typeof emblemColours)[number];

export interface Emblem {
  readonly sign: EmblemSign;
  readonly colour: EmblemColour;
}

/** Without a choice the emblem is derived from the id, which never changes. */
export function emblemOf(application: {
  readonly clientId: string;
  readonly emblemSign: string | null;
  readonly emblemColour: string | null;
}): Emblem {
  const { clientId, emblemSign, emblemColour } = application;
  const drawn = <Choice>(choices: readonly [Choice, ...Choice[]], digits: string): Choice =>
    choices[Number.parseInt(digits, 16) % choices.length] ?? choices[0];
  return {
    sign:
      emblemSigns.find((sign) => sign === emblemSign) ?? drawn(emblemSigns, clientId.slice(0, 6)),
    colour:
      emblemColours.find((colour) => colour === emblemColour) ??
      drawn(emblemColours, clientId.slice(6, 12)),
  };
}
