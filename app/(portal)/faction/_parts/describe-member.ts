import type { Tone } from "#app/_ui/badge.tsx";

/** States in the words of the portal; others as the game has them. */
export const stateWords: Readonly<Record<string, string>> = {
  Okay: "Okay",
  Abroad: "Abroad",
  Traveling: "Traveling",
  Hospital: "In hospital",
  Jail: "In jail",
  Federal: "In federal jail",
};

export const stateTones: Readonly<Record<string, Tone>> = {
  Okay: "good",
  Hospital: "bad",
  Jail: "bad",
  Federal: "bad",
};

/** The filter as the address has it; the server judges it. */
export type TypedFilter = {
  state?: string | undefined;
  active?: string | undefined;
  name?: string | undefined;
};
