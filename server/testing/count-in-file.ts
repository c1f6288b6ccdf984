import { expect } from "vitest";

/**
 * A counter that each test file has for itself, though files of one worker share their modules: what a test sees must not
 * depend on the files that ran before it.
 * @returns gives the next number
 */
export function countInFile(first: number): () => number {
  const next = new Map<string | undefined, number>();
  return () => {
    const { testPath } = expect.getState();
    const number = next.get(testPath) ?? first;
    next.set(testPath, number + 1);
    return number;
  };
}
