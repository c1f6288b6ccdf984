import { defineConfig } from "playwright/test";
import { chromium } from "./e2e/support/chromium";

export default defineConfig({
  testMatch: "*.e2e.ts",
  outputDir: "test-results",
  projects: [
    // They share one product and its state, so they run in sequence.
    { name: "flows", testDir: "e2e/flows", workers: 1 },
    // Each starts its own products and mostly waits for them, so they run beside the flows.
    { name: "processes", testDir: "e2e/processes", workers: 1 },
    // It generates load and counts failed requests: tests beside it would distort the count.
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
    // Otherwise a click on a missing element ends with its test, without a message.
    actionTimeout: 60_000,
    navigationTimeout: 120_000,
    viewport: { width: 1280, height: 800 },
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    trace: "off",
  },
});
