import type { Tally } from "#server/tally";
import { figure } from "./figure";

/** A tally where there is room for a figure alone: "312", "1,000+" where there may be more. */
export const tallyFigure = ({ count, more }: Tally): string => `${figure(count)}${more ? "+" : ""}`;
