import { defineConfig } from "playwright/test";
import { chromium } from "./e2e/support/chromium";

export default defineConfig({
  testDir: "e2e/flows",
  testMatch: "*.e2e.ts",
  outputDir: "test-results",
  // The product, its embedded database and the browser share the machine's cores.
  workers: 1,
  // A test that passes at the second try has found something.
  retries: 0,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  forbidOnly: process.env.CI !== undefined,
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [["list"], ["json"]] : [["list"]],
  use: {
    launchOptions: chromium(),
    viewport: { width: 1280, height: 800 },
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    trace: "off",
  },
});
