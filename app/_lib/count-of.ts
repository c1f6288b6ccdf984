import { figure } from "./figure";

/** How many of what: "1 player", "5,000 live tokens"; more than the last word changes with `many`: "2 keys are". */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${figure(count)} ${count === 1 ? one : many}`;
