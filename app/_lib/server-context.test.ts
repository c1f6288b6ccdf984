import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PHASE_PRODUCTION_BUILD } from "next/constants";
import { expect, test, vi } from "vitest";
import { serverContext } from "./server-context";

test("a build of the pages opens no database: a server may be starting on it at the same time", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "adjutant-built-"));
  const dataDir = path.join(folder, "data");
  vi.stubEnv("NEXT_PHASE", PHASE_PRODUCTION_BUILD).stubEnv("DATA_DIR", dataDir);
  try {
    await expect(serverContext()).rejects.toThrow("while it was built");
    expect(existsSync(dataDir)).toBe(false);
  } finally {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  }
});
