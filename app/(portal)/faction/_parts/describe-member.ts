import type { Tone } from "#app/_ui/badge.tsx";

/** States that are not listed appear as the game names them. */
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

/** Raw values of the address; the server validates them. */
export type RawMemberFilter = {
  state?: string | undefined;
  active?: string | undefined;
  name?: string | undefined;
};
