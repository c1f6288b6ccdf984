import type { Tally } from "#server/tally";
import { countOf } from "./count-of";
import { figure } from "./figure";

/** A tally in a sentence: "1 player", "312 players", "1,000 or more players". */
export const tallyInWords = ({ count, more }: Tally, one: string, many = `${one}s`): string =>
  more ? `${figure(count)} or more ${many}` : countOf(count, one, many);
