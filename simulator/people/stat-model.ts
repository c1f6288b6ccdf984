import { statExponent } from "./progress";
import type { Traits } from "./traits";

/** What a player took in their life, as far as it makes energy or stats. */
export interface Consumption {
  readonly stimulants: number;
  readonly refills: number;
  readonly cans: number;
  readonly enhancers: number;
}

/**
 * How battle stats come about in a world. The real game's way is not known, so whatever estimates stats is to be judged in worlds
 * that are built differently.
 */
export interface StatModel {
  /** Of ln total, what no counter tells. */
  readonly noise: number;
  /** What energy and enhancers did to ln total. */
  growth(player: Traits, trained: number, took: Consumption): number;
}

const fromEnergy = (energy: number) => statExponent * Math.log(1 + energy / 10);
const fromEnhancers = ({ enhancers }: Consumption) => Math.min(1.2, 0.012 * enhancers);
const logistic = (value: number) => 1 / (1 + Math.exp(-value));

/** Energy from which on the same energy brings much less. */
const saturation = 400_000;
/** Attacks won on an active day that make a fighter, who trains little of what is left. */
const fighterWins = 3;

export const statModels = {
  /** Stats grow with the logarithm of the energy that was trained. */
  plain: { noise: 0.3, growth: (_player, trained, took) => fromEnergy(trained) + fromEnhancers(took) },
  /** Much energy brings less and less, and enhancers help those who train. */
  saturating: {
    noise: 0.3,
    growth: (player, trained, took) =>
      fromEnergy(trained / Math.sqrt(1 + trained / saturation)) + 1.5 * player.gymShare * fromEnhancers(took),
  },
  /** Fighters hardly train, and the dedicated get more out of each training. */
  styles: {
    noise: 0.3,
    growth: (player, trained, took) =>
      fromEnergy(trained * (player.winRate > fighterWins ? 0.4 : 1)) +
      0.6 * logistic(2 * player.dedication) +
      fromEnhancers(took),
  },
  /** As plain, but counters tell less. */
  noisy: { noise: 0.45, growth: (_player, trained, took) => fromEnergy(trained) + fromEnhancers(took) },
} as const satisfies Readonly<Record<string, StatModel>>;

export type StatModelName = keyof typeof statModels;
