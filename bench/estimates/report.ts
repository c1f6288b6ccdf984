import { parseArgs } from "node:util";
import type { Accuracy } from "#server/stats/estimates/model/model-card";
import { type StatModelName, statModels } from "#simulator/people/battle-stats";
import { judgeWorld } from "./judge-world";

/**
 * `npm run estimate:report [-- --seed 1 --players 12000 plain noisy]` trains the model in differently built simulated worlds and
 * prints how it does against what is true there. The figures say nothing about real players.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: "1" }, players: { type: "string" } },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const known = Object.keys(statModels) as StatModelName[];
const wanted =
  positionals.length === 0 ? known : known.filter((name) => positionals.includes(name));
const players = values.players === undefined ? {} : { players: Number(values.players) };

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const row = (cells: readonly string[]) =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(34) : cell.padStart(9))).join("");
const figures = ({ count, median, p90, within125, within2, within2Total, bias }: Accuracy) => [
  String(count),
  median.toFixed(3),
  p90.toFixed(2),
  percent(within125),
  percent(within2),
  percent(within2Total),
  bias.toFixed(3),
];

say(row(["", "players", "median", "p90", "≤ 1.25×", "≤ 2×", "≤ 2× sum", "ln bias"]));
for (const statModel of wanted) {
  const { card, ...judged } = await judgeWorld({
    seed: Number(values.seed),
    statModel,
    ...players,
  });
  const { train, lowerBounds } = card.rows;
  say(
    `\n${statModel}: learned from ${train} players (${lowerBounds} of all known by a bound alone)`,
  );
  say(row(["  against fights held back", ...figures(card.metrics)]));
  say(row(["  against the truth, unseen players", ...figures(judged.unseen)]));
  say(row(["  … that nobody ever fought", ...figures(judged.neverFought)]));
  say(row(["  … the strongest twentieth", ...figures(judged.strongest)]));
  say(row(["  the mean by level instead", ...figures(judged.baseline)]));
  say(
    `  ${(judged.baseline.median / judged.unseen.median).toFixed(1)}× better than the mean by level`,
  );
}
