import { dayMs, hourMs } from "#server/platform/time";
import { createBehaviour } from "./behaviour";
import { createCrimes } from "./crimes/crimes";
import { createDraw, noise } from "./draw";
import { createFights } from "./fights/fights";
import { type ListedItem, listedItems } from "./item-list";
import { createPeople } from "./people/people";
import { createStockMarket } from "./stock-market";
import { createVault } from "./vault";
import { createWorld, type WorldOptions } from "./world";

const pointBase = 44_500;

/** Prices are pure functions of (seed, item, hour). */
export function createPrices(seed: number) {
  const baseDraw = createDraw(seed, "item price");
  const waveDraw = createDraw(seed, "item price wave");
  const offerDraw = createDraw(seed, "points offers");
  const wave = (entity: number, now: Date) =>
    0.06 *
    noise(waveDraw, entity, {
      time: Math.floor(now.getTime() / hourMs) * hourMs,
      period: 5 * dayMs,
    });

  return {
    items: listedItems,
    marketPrice: ({ id, worth }: ListedItem, now: Date): number | null => {
      if (!worth) return null;
      const [low, high] = worth;
      return Math.round(low * (high / low) ** baseDraw.unit(id) * (1 + wave(id, now)));
    },
    pointOffers: (now: Date) => {
      const lowest = Math.round(pointBase * (1 + wave(0, now)));
      return Array.from({ length: 10 }, (_, index) => {
        const hour = Math.floor(now.getTime() / hourMs);
        const cost = lowest + index * 25;
        const quantity = offerDraw.between(index, hour, [1, 500]);
        return { id: 900_000 + (offerDraw.bits(index, hour) % 100_000), cost, quantity };
      });
    },
  };
}

export function createAreas(options: WorldOptions) {
  const world = createWorld(options);
  const people = createPeople({ ...options, traits: world.traits });
  const fights = createFights({ ...options, world, people });
  const crimes = createCrimes({ seed: options.seed, world });
  const vault = createVault({ seed: options.seed, world });
  return {
    behaviour: createBehaviour(),
    world,
    people,
    fights,
    crimes,
    vault,
    stockMarket: createStockMarket(options.seed),
    prices: createPrices(options.seed),
  };
}
export type Areas = ReturnType<typeof createAreas>;
