import { countRipe, deleteRipe, type Ripe } from "#db/batches";
import type { Moment, Sweep } from "./sweep";

/** A sweep of the rows that are ripe at a moment. */
export const sweepByIndex = (name: string, ripe: (moment: Moment) => Ripe): Sweep => ({
  name,
  remove: (on, moment, part) => deleteRipe(on, ripe(moment), part),
  countDue: (on, moment, most) => countRipe(on, ripe(moment), most),
});
