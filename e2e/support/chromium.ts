import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { LaunchOptions } from "playwright/test";

const root = path.join(import.meta.dirname, "../..");
const cache = path.join(root, "node_modules/.cache/adjutant");
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--font-render-hinting=none",
  "--disable-background-networking",
  "--disable-component-update",
  // The tests' clients are below .test and .example: navigations there are recorded and resolve
  // nowhere.
  "--host-resolver-rules=MAP *.test ~NOTFOUND, MAP *.example ~NOTFOUND",
];

/**
 * Chromium from the package registry, unpacked at first use; CHROMIUM_PATH overrides it. The
 * product brings its fonts, so pictures are alike on every machine.
 */
export function chromium(): LaunchOptions {
  const given = process.env.CHROMIUM_PATH;
  const unpacked = given ? undefined : unpackOnce();
  const executablePath = given ?? path.join(unpacked ?? "", "chromium");
  return {
    executablePath,
    args,
    env: { ...plainEnvironment(), ...libraries(executablePath, unpacked), ...fonts() },
  };
}

function unpackOnce(): string {
  const folder = path.join(cache, "chromium");
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const partial = mkdtempSync(path.join(cache, "unpacking-"));
  // The package unpacks into the temporary folder; as if on Lambda, it adds the libraries that are
  // missing there.
  const env = { ...process.env, TMPDIR: partial, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x" };
  const program =
    'import("@sparticuz/chromium").then((chromium) => chromium.default.executablePath())';
  execFileSync(process.execPath, ["-e", program], {
    cwd: root,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    renameSync(partial, folder);
  } catch {
    // Another process was faster; its copy is equal.
    rmSync(partial, { recursive: true, force: true });
  }
  return folder;
}

/** The system's own libraries are preferred over the packaged ones. */
function libraries(executable: string, unpacked: string | undefined): Record<string, string> {
  if (!unpacked || process.platform !== "linux") return {};
  const linked = spawnSync("ldd", [executable], { encoding: "utf8" });
  if (linked.status === 0 && !linked.stdout.includes("not found")) return {};
  return { LD_LIBRARY_PATH: path.join(unpacked, "al2023/lib") };
}

function fonts(): Record<string, string> {
  const folders = [
    path.join(root, "node_modules/geist/dist/fonts"),
    path.join(cache, "chromium/fonts"),
  ];
  const prefer = (generic: string, family: string) =>
    `<alias binding="strong"><family>${generic}</family><prefer><family>${family}</family></prefer></alias>`;
  const lines = [
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>',
    ...folders.map((folder) => `<dir>${folder}</dir>`),
    `<cachedir>${path.join(cache, "fontconfig")}</cachedir>`,
    prefer("sans-serif", "Geist"),
    prefer("system-ui", "Geist"),
    prefer("monospace", "Geist Mono"),
    "</fontconfig>",
  ];
  const file = path.join(cache, "fonts.conf");
  mkdirSync(cache, { recursive: true });
  writeFileSync(file, lines.join("\n"));
  return { FONTCONFIG_FILE: file };
}

function plainEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
}
