import { PHASE_PRODUCTION_BUILD } from "next/constants";
import { expect, test, vi } from "vitest";
import { serverContext } from "./server-context";

const opened = vi.hoisted(() => vi.fn());
vi.mock("#server/create-context", () => ({ getContext: opened }));

test("a build of the pages opens no database: a server may be starting on it at the same time", async () => {
  vi.stubEnv("NEXT_PHASE", PHASE_PRODUCTION_BUILD);
  await expect(serverContext()).rejects.toThrow("while it was built");
  expect(opened).not.toHaveBeenCalled();
  vi.unstubAllEnvs();
});
