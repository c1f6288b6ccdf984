import { createBehaviour } from "./behaviour";
import { createCrimes } from "./crimes/crimes";
import { createFights } from "./fights/fights";
import { createPeople } from "./people/people";
import { createPrices } from "./prices";
import { createStockMarket } from "./stock-market";
import { createVault } from "./vault/vault";
import { createWorld, type WorldOptions } from "./world";

/** The parts of the simulated game, each a closed form of its own with what control verbs changed on top. */
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
