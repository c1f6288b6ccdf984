import { defineConfig } from "playwright/test";
import { chromium } from "./e2e/support/chromium";

export default defineConfig({
  testMatch: "*.e2e.ts",
  outputDir: "test-results",
  projects: [
    // Flows share one product and its state, so they run in sequence.
    { name: "flows", testDir: "e2e/flows", workers: 1 },
    // Each test starts its own products and mostly waits for them, so it runs beside the flows.
    { name: "processes", testDir: "e2e/processes", workers: 1 },
    // This test generates load and counts failed requests, which other tests would distort.
    { name: "alone", testDir: "e2e/alone", workers: 1, dependencies: ["flows", "processes"] },
  ],
  // More products and browsers than cores slow each other down.
  workers: 2,
  retries: Number(process.env.TEST_RETRIES ?? 0),
  // Only for hanging tests: a busy machine makes a page many times slower. Each wait in a test has
  // its own limit.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  forbidOnly: process.env.CI !== undefined,
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [["list"], ["json"]] : [["list"]],
  use: {
    launchOptions: chromium(),
    // Without a limit a click on a missing element ends with its test, without a message.
    actionTimeout: 60_000,
    navigationTimeout: 120_000,
    viewport: { width: 1280, height: 800 },
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    trace: "off",
  },
});
