import { expect, test } from "vitest";
import { version } from "./env";
import { createLog } from "./log";

function recorded() {
  const lines: string[] = [];
  return {
    lines,
    log: createLog("debug", { instance: "one", to: { write: (line) => void lines.push(line) } }),
  };
}

test("line breaks and control sequences cannot forge a line (SC-09)", () => {
  const { lines, log } = recorded();
  const name = 'x\n{"level":50,"msg":"forged"}\r\n\u001b[2J\u2028y';
  log.info({ name }, `an application named ${name}`);
  expect(lines).toHaveLength(1);
  const [line = ""] = lines;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there.
  expect(line.trimEnd()).not.toMatch(/[\n\r\u001b]/);
  expect(JSON.parse(line)).toMatchObject({ level: 30, name });
});

test("each line says which process wrote it, and of which release", () => {
  const { lines, log } = recorded();
  log.warn({}, "something");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ instance: "one", version });
});

test("fields that hold secrets are cut, also inside of others (SC-04)", () => {
  const { lines, log } = recorded();
  const secret = "adj_rt_example";
  log.debug(
    { refresh_token: secret, headers: { authorization: secret }, a: { b: { code: secret } } },
    "a request",
  );
  expect(lines.join("")).not.toContain(secret);
});
