import { readFileSync } from "node:fs";

/** One question, asked a few times. Milliseconds, the middle of the tries. */
export interface Timed {
  /** What it is summed up with. */
  readonly group: string;
  readonly name: string;
  readonly elapsed: number;
  /** What the database's process spent, which a busy machine hardly moves. */
  readonly processor: number;
}

const tries = 3;

/** Asks once to warm up and then a few times. @param backend the process that answers */
export async function timed(
  ask: () => Promise<unknown>,
  about: { group: string; name: string; backend: number },
): Promise<Timed> {
  const { group, name, backend } = about;
  await ask();
  const elapsed: number[] = [];
  const processor: number[] = [];
  for (let round = 0; round < tries; round++) {
    const [started, spent] = [performance.now(), spentBy(backend)];
    await ask();
    elapsed.push(performance.now() - started);
    processor.push(spentBy(backend) - spent);
  }
  return { group, name, elapsed: quantile(elapsed, 0.5), processor: quantile(processor, 0.5) };
}

/** Milliseconds on a processor so far, as the kernel's scheduler counts them. */
export const spentBy = (process: number): number =>
  Number(readFileSync(`/proc/${process}/schedstat`, "utf8").split(" ", 1)[0]) / 1e6;

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
