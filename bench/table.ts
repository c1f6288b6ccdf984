import type { Round } from "./subject";

interface Measured {
  readonly id: string;
  readonly title: string;
  readonly against?: string;
  readonly besides?: string;
  readonly rounds: readonly Round[];
}

const columns = [
  "req/s",
  "µs/req",
  "÷ N",
  "÷ T",
  "cost ÷ P",
  "ours is",
  "p50 ms",
  "p99 ms",
  "p99/p50",
  "p99 ×",
];

/**
 * The medians of all subjects, their throughput as a multiple of the subjects N and T of the same run, and their processor time as
 * one of P's; for a peer, how many times as fast ours is; for what goes on beside something, its p99 as a multiple of that without.
 */
export function tableOf(measured: readonly Measured[]): string {
  const speed = (id: string) => {
    const found = measured.find((one) => one.id === id);
    return found ? medianOf(found.rounds, "requestsPerSecond") : undefined;
  };
  const slowest = (id: string | undefined) => {
    const found = measured.find((one) => one.id === id);
    return found ? medianOf(found.rounds, "p99") : Number.NaN;
  };
  const page = measured.find((one) => one.id === "P");
  const trivialPage = page && medianOf(page.rounds, "microseconds");
  const width = Math.max(...measured.map((one) => one.title.length)) + 2;
  const rows = measured.map(({ title, against, besides, rounds }) => {
    const [rate, p50, p99] = [
      medianOf(rounds, "requestsPerSecond"),
      medianOf(rounds, "p50"),
      medianOf(rounds, "p99"),
    ];
    const cost = medianOf(rounds, "microseconds");
    const ours = against ? speed(against) : undefined;
    const ratio = (to: number | undefined) => (to ? (rate / to).toFixed(2) : "–");
    const cells = [
      Math.round(rate).toLocaleString("en"),
      cost.toFixed(0),
      ratio(speed("N")),
      ratio(speed("T")),
      trivialPage ? (cost / trivialPage).toFixed(2) : "–",
      ours ? `${(ours / rate).toFixed(1)}×` : "–",
      decimals(p50, 2),
      decimals(p99, 2),
      decimals(p99 / p50, 1),
      besides ? decimals(p99 / slowest(besides), 2) : "–",
    ];
    const faults = rounds.reduce((sum, round) => sum + round.faults, 0);
    return (
      line(title, cells, width) +
      (faults > 0 ? `   ${faults} FAULTS: the figures mean nothing` : "")
    );
  });
  return ["", line("median of rounds", columns, width), ...rows].join("\n");
}

const decimals = (value: number, count: number): string =>
  Number.isNaN(value) ? "–" : value.toFixed(count);

const line = (title: string, cells: readonly string[], width: number): string =>
  title.padEnd(width) + cells.map((cell) => cell.padStart(10)).join("");

function medianOf(rounds: readonly Round[], field: keyof Round): number {
  const sorted = rounds.map((round) => round[field]).sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [
    sorted[sorted.length % 2 === 1 ? middle : middle - 1],
    sorted[middle],
  ];
  return (low + high) / 2;
}
