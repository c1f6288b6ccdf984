import { expect } from "vitest";

/**
 * Restarts in each test file, though files of one worker share their modules: a result must not
 * depend on the files before it.
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
