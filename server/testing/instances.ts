import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { type BuildOptions, build } from "esbuild";
import bundleOptions from "../../scripts/bundle-options.json" with { type: "json" };

export interface Instance {
  readonly url: string;
  readonly pid: number;
  /** SIGKILL. Resolves after the exit. */
  kill(): Promise<void>;
  end(): Promise<{ code: number | null; output: string }>;
  exited(): Promise<{ code: number | null; output: string }>;
}

const root = path.join(import.meta.dirname, "../..");

/**
 * Bundles the current sources, so that processes start fast and are never older than the test.
 * @param entry "token-instance" has the token endpoint alone, "job-holder" a job that never ends
 */
export async function prepareInstances(
  entry: "instance" | "token-instance" | "job-holder" = "instance",
) {
  const bundle = path.join(root, `node_modules/.cache/adjutant/${entry}-${process.pid}.mjs`);
  await build({
    entryPoints: [path.join(root, `server/testing/${entry}.ts`)],
    outfile: bundle,
    ...(bundleOptions as BuildOptions),
  });
  const running = new Set<ChildProcess>();
  const killAll = () => {
    for (const child of running) child.kill("SIGKILL");
  };
  process.once("exit", killAll);
  return {
    start: async (settings: Readonly<Record<string, string>>): Promise<Instance> => {
      const { PATH = "" } = process.env;
      // Port 0: a port that was free a moment ago may be in use.
      const env = {
        PATH,
        NODE_ENV: "production",
        LOG_LEVEL: "error",
        JOBS: "off",
        PORT: "0",
        ...settings,
      } as const;
      const child = spawn(process.execPath, [bundle], {
        cwd: root,
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      running.add(child);
      const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      void gone.then(() => running.delete(child));
      const { port, output } = await portOf(child, gone);
      const kill = () => {
        child.kill("SIGKILL");
        return gone;
      };
      const exited = async () => {
        await gone;
        return { code: child.exitCode, output: output() };
      };
      const end = () => {
        child.kill("SIGTERM");
        return exited();
      };
      return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, kill, end, exited };
    },
    remove: () => {
      killAll();
      process.off("exit", killAll);
      rmSync(bundle, { force: true });
    },
  };
}

async function portOf(
  child: ChildProcess,
  gone: Promise<void>,
): Promise<{ port: string; output: () => string }> {
  let output = "";
  const said = new Promise<string | undefined>((resolve) => {
    const hear = (text: Buffer) => {
      output += text.toString();
      const port = /^ready (\d+)$/m.exec(output)?.[1];
      if (port) resolve(port);
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
  });
  const port = await Promise.race([said, gone.then(() => undefined)]);
  if (port === undefined) throw new Error(`The instance did not start:\n${output}`);
  return { port, output: () => output };
}
