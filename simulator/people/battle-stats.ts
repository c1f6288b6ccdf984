import { createRandom } from "#simulator/draw";
import { logistic, type Progress, statExponent, type Traits } from "./traits";

/** Without modifiers. */
export interface FourStats {
  readonly strength: number;
  readonly defense: number;
  readonly speed: number;
  readonly dexterity: number;
}

/** Shares of the four stats. `upTo` is cumulative over players. */
const builds = [
  { upTo: 0.4, shares: [0.25, 0.25, 0.25, 0.25] },
  { upTo: 0.7, shares: [0.35, 0.28, 0.22, 0.15] },
  { upTo: 0.92, shares: [0.45, 0.32, 0.18, 0.05] },
  { upTo: 1, shares: [0.7, 0.15, 0.1, 0.05] },
] as const;
const even = builds[0].shares;

/** Players that train one stat alone break every rule of thumb. */
const shareOfSingleStat = 0.01;
const softCap = Math.log(200_000_000);
const slowedAboveCap = 0.75;
const statsAtStart = 10;

/** Sum of the four square roots: the only number that fights reveal. */
export const scoreOf = ({ strength, defense, speed, dexterity }: FourStats) =>
  Math.sqrt(strength) + Math.sqrt(defense) + Math.sqrt(speed) + Math.sqrt(dexterity);

export const totalOf = ({ strength, defense, speed, dexterity }: FourStats) =>
  strength + defense + speed + dexterity;

/** Closed form: stats from the player's consumption and activity. */
export function createStatsGenerator(world: {
  seed: number;
  progress: Progress;
  statModel: StatModel;
}) {
  const { progress, statModel } = world;
  const draw = createRandom(world.seed, "builds");
  const shares = new Map<number, readonly number[]>();

  /** Most take no enhancer; the others take dozens. */
  function enhancers(player: Traits, day: number): number {
    if (draw.unit(player.index, 20) >= logistic(-2 + player.dedication)) return 0;
    return progress.counter(player, day, {
      stream: 4,
      rate: 0.02 * Math.exp(0.8 * draw.normal(player.index, 21)),
    });
  }

  function consumption(player: Traits, day: number): Consumption {
    const { dedication } = player;
    const count = (stream: number, rate: number) => progress.counter(player, day, { stream, rate });
    return {
      stimulants: count(1, 2.6 * logistic(-1.2 + 1.4 * dedication)),
      refills: count(2, 0.8 * logistic(-0.9 + 1.3 * dedication)),
      cans: count(3, 0.5 * logistic(-2.2 + 1.2 * dedication)),
      enhancers: enhancers(player, day),
    };
  }

  function energy(player: Traits, day: number, took: Consumption): number {
    const natural =
      progress.activeDays(player, day) * 350 * (0.5 + 0.5 * logistic(player.dedication));
    return natural + 250 * took.stimulants + 150 * took.refills + 20 * took.cans;
  }

  /** The player's fixed split of training, in a drawn order of the stats. */
  function buildOf(player: Traits): readonly number[] {
    const known = shares.get(player.index);
    if (known) return known;
    const { index } = player;
    const roll = player.demo ? 0.5 : draw.unit(index, 0);
    const single = !player.demo && draw.unit(index, 1) < shareOfSingleStat;
    const base: readonly number[] = single
      ? [1, 0, 0, 0]
      : (builds.find(({ upTo }) => roll < upTo)?.shares ?? even);
    const varied = base.map(
      (share, place) => share * Math.exp(0.15 * draw.normal(index, 2 + place)),
    );
    const sum = varied.reduce((total, share) => total + share, 0);
    const order = [0, 1, 2, 3].sort(
      (one, other) => draw.unit(index, 10 + one) - draw.unit(index, 10 + other),
    );
    const build = order.map((place) => (varied[place] ?? 0) / sum);
    shares.set(index, build);
    return build;
  }

  function of(player: Traits, day: number): FourStats {
    const took = consumption(player, day);
    const trained = energy(player, day, took) * player.gymShare;
    const grown =
      Math.log(120) + statModel.growth(player, trained, took) + statModel.noise * player.luck;
    const total = Math.exp(grown > softCap ? softCap + slowedAboveCap * (grown - softCap) : grown);
    const [strength = 0, defense = 0, speed = 0, dexterity = 0] = buildOf(player).map(
      (share) => statsAtStart + Math.floor(total * share),
    );
    return { strength, defense, speed, dexterity };
  }

  return { of, consumption };
}
export type StatsGenerator = ReturnType<typeof createStatsGenerator>;

interface Consumption {
  readonly stimulants: number;
  readonly refills: number;
  readonly cans: number;
  readonly enhancers: number;
}

/** The formula is unknown: an estimator is tested in worlds with different models. */
interface StatModel {
  /** Noise of ln total that no counter reveals. */
  readonly noise: number;
  /** Part of ln total from energy and enhancers. */
  growth(player: Traits, trained: number, took: Consumption): number;
}

const fromEnergy = (energy: number) => statExponent * Math.log(1 + energy / 10);
const fromEnhancers = ({ enhancers }: Consumption) => Math.min(1.2, 0.012 * enhancers);

/** Beyond this energy returns diminish. */
const saturation = 400_000;
/** Attacks won per active day that make a fighter; fighters train little. */
const fighterWins = 3;

export const statModels = {
  /** Stats grow with a power of the trained energy. */
  plain: {
    noise: 0.3,
    growth: (_player, trained, took) => fromEnergy(trained) + fromEnhancers(took),
  },
  /** Diminishing returns of energy; enhancers help players that train. */
  saturating: {
    noise: 0.3,
    growth: (player, trained, took) =>
      fromEnergy(trained / Math.sqrt(1 + trained / saturation)) +
      1.5 * player.gymShare * fromEnhancers(took),
  },
  /** Fighters hardly train, and dedicated players gain more per training. */
  styles: {
    noise: 0.3,
    growth: (player, trained, took) =>
      fromEnergy(trained * (player.winRate > fighterWins ? 0.4 : 1)) +
      0.6 * logistic(2 * player.dedication) +
      fromEnhancers(took),
  },
  noisy: {
    noise: 0.45,
    growth: (_player, trained, took) => fromEnergy(trained) + fromEnhancers(took),
  },
} as const satisfies Readonly<Record<string, StatModel>>;

export type StatModelName = keyof typeof statModels;
