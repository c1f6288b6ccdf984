import { defineConfig } from "playwright/test";
import { chromium } from "./e2e/support/chromium";

export default defineConfig({
  testMatch: "*.e2e.ts",
  outputDir: "test-results",
  projects: [
    // They share one product and what they leave in it, and go one after the other.
    { name: "flows", testDir: "e2e/flows", workers: 1 },
    // Each starts products of its own and mostly waits for them: they go beside the flows, which take their time from them.
    { name: "processes", testDir: "e2e/processes", workers: 1 },
    // It makes a load of its own and says how many requests fail: with others beside it, it would measure them.
    { name: "alone", testDir: "e2e/alone", workers: 1, dependencies: ["flows", "processes"] },
  ],
  // More products and browsers at a time than cores would only slow each other down.
  workers: 2,
  retries: Number(process.env.TEST_RETRIES ?? 0),
  // They end what hangs and measure nothing: a busy machine makes a page many times slower. What a test waits for has a limit of
  // its own, so that the test's is met only by one that never ends.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  forbidOnly: process.env.CI !== undefined,
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [["list"], ["json"]] : [["list"]],
  use: {
    launchOptions: chromium(),
    // Without it a click on what never comes ends with its test, and does not say what it waited for.
    actionTimeout: 60_000,
    navigationTimeout: 120_000,
    viewport: { width: 1280, height: 800 },
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    trace: "off",
  },
});
