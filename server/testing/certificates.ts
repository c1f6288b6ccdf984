import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** A certificate authority of a test's own, in files below `folder`. */
export interface Authority {
  readonly folder: string;
  /** The file that a client trusts it by. */
  readonly file: string;
  /** A key and a certificate for a server with these names, such as "DNS:localhost" or "IP:127.0.0.1". */
  issue(names: readonly string[]): { key: string; certificate: string };
}

/** Makes an authority with the `openssl` of this machine. The caller removes its folder. */
export function makeAuthority(): Authority {
  const folder = mkdtempSync(path.join(tmpdir(), "adjutant-ca-"));
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl(
    "req",
    "-x509",
    ...newKey,
    "-keyout",
    "ca.key",
    "-out",
    "ca.crt",
    "-days",
    "2",
    "-subj",
    "/CN=A test's own CA",
  );
  return {
    folder,
    file: path.join(folder, "ca.crt"),
    issue: (names) => {
      writeFileSync(path.join(folder, "names"), `subjectAltName=${names.join(",")}\n`);
      openssl("req", ...newKey, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=server");
      const signing = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"];
      openssl("x509", "-req", "-in", "server.csr", "-out", "server.crt", ...signing);
      const read = (name: string) => readFileSync(path.join(folder, name), "utf8");
      return { key: read("server.key"), certificate: read("server.crt") };
    },
  };
}
