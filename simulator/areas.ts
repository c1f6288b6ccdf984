import { createBehaviour } from "./behaviour";
import { createCrimes } from "./crimes";
import { createFights } from "./fights";
import { createPrices, createStockMarket } from "./market";
import { createPeople } from "./people/people";
import { createVault } from "./vault";
import { createWorld, type WorldOptions } from "./world";

export function createGameAreas(options: WorldOptions) {
  const { seed } = options;
  const world = createWorld(options);
  const people = createPeople({ ...options, traits: world.traits });
  return {
    behaviour: createBehaviour(),
    world,
    people,
    fights: createFights({ ...options, world, people }),
    crimes: createCrimes({ seed, world }),
    vault: createVault({ seed, world }),
    stockMarket: createStockMarket(seed),
    prices: createPrices(seed),
  };
}
export type GameAreas = ReturnType<typeof createGameAreas>;
