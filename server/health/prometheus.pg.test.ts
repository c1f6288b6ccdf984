import { execFile, spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { freePort } from "#server/testing/free-port";
import { onLoopback } from "#server/testing/on-loopback";
import { testContext } from "#server/testing/test-context";
import { createMetricsListener } from "./metrics-listener";

const folder = path.join(import.meta.dirname, "../../deploy/prometheus");
const run = promisify(execFile);
/** Milliseconds: a second process has to start, and to read twice. */
const patience = 60_000;

const isInstalled = ["promtool", "prometheus"].every(
  (name) => spawnSync(name, ["--version"]).status === 0,
);
if (!isInstalled)
  process.stdout.write(
    "note: neither promtool nor prometheus: the tests on Prometheus are skipped\n",
  );

test.skipIf(!isInstalled)(
  "promtool accepts the alerts and the example, and each alert comes where its series says so and nowhere else",
  async () => {
    expect(
      (await run("promtool", ["check", "rules", "alerts.yaml"], { cwd: folder })).stdout,
    ).toContain("SUCCESS");
    expect(
      (await run("promtool", ["check", "config", "prometheus.yaml"], { cwd: folder })).stdout,
    ).toContain("SUCCESS");
    expect(
      (await run("promtool", ["test", "rules", "alerts.test.yaml"], { cwd: folder })).stdout,
    ).toContain("SUCCESS");
  },
);

async function ask(url: string, address: string): Promise<unknown> {
  const answer = await fetch(`${url}/api/v1/${address}`).catch(() => undefined);
  return answer?.ok ? ((await answer.json()) as { data: unknown }).data : undefined;
}

test.skipIf(!isInstalled)(
  "a real Prometheus reads the metrics port, and all rules are well with what it read",
  async () => {
    const { ctx } = await testContext({ database: await testDatabase() });
    const listener = createMetricsListener(ctx);
    const target = `127.0.0.1:${await onLoopback(listener, afterAll)}`;

    const data = await mkdtemp(path.join(tmpdir(), "adjutant-prometheus-"));
    const config = {
      global: { scrape_interval: "2s", scrape_timeout: "2s", evaluation_interval: "1s" },
      rule_files: [path.join(folder, "alerts.yaml")],
      scrape_configs: [{ job_name: "adjutant", static_configs: [{ targets: [target] }] }],
    };
    // JSON is YAML.
    await writeFile(path.join(data, "prometheus.yaml"), JSON.stringify(config));
    const port = await freePort();
    const prometheus = spawn("prometheus", [
      `--config.file=${data}/prometheus.yaml`,
      `--storage.tsdb.path=${data}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]);
    const ended = new Promise((resolve) => prometheus.once("exit", resolve));
    afterAll(async () => {
      prometheus.kill("SIGTERM");
      await ended;
      await rm(data, { recursive: true, force: true });
    });

    const url = `http://127.0.0.1:${port}`;
    const labelled = { job: "adjutant", instance: target };
    await expect
      .poll(() => ask(url, "query?query=adjutant_build_info"), { timeout: patience })
      .toMatchObject({
        result: [
          {
            metric: { ...labelled, version: expect.any(String) },
            value: [expect.any(Number), "1"],
          },
        ],
      });
    await expect
      .poll(
        () =>
          ask(
            url,
            `query?query=${encodeURIComponent('adjutant_database_pool_connections_max{pool="general"}')}`,
          ),
        { timeout: patience },
      )
      .toMatchObject({ result: [{ metric: labelled }] });
    expect(await ask(url, "targets")).toMatchObject({
      activeTargets: [{ health: "up", lastError: "" }],
    });
    await expect
      .poll(
        async () => {
          const rules = (await ask(url, "rules")) as {
            groups: { rules: { health: string; lastError?: string }[] }[];
          };
          return new Set(
            rules.groups.flatMap((group) =>
              group.rules.map(({ health, lastError }) => lastError ?? health),
            ),
          );
        },
        { timeout: patience },
      )
      .toEqual(new Set(["ok"]));
  },
  2 * patience,
);
