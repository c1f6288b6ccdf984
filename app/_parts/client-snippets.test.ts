import { execFileSync } from "node:child_process";
import { transform } from "esbuild";
import { expect, test } from "vitest";
import { hostedCallbackUri } from "#server/oauth/redirect-uri";
import { clientSnippets, exchangeSnippet } from "./client-snippets";

const subjects = (["confidential", "public"] as const).flatMap((kind) =>
  ["http://localhost:3000", "https://adjutant.example"].map((baseUrl) => ({
    baseUrl,
    clientId: "0123456789abcdef0123456789abcdef",
    kind,
    redirectUri: "https://client.example/callback?from=adjutant",
    scopes: ["identity", "faction:banking"],
  })),
);

test.each(subjects)(
  "the TypeScript samples for a $kind application at $baseUrl are valid code",
  async (subject) => {
    const samples = clientSnippets(subject).filter(({ language }) => language === "typescript");
    expect(samples).toHaveLength(2);
    for (const { code } of samples) await transform(code, { loader: "ts", format: "esm" });
  },
);

test.each(subjects)(
  "every sample for a $kind application at $baseUrl names it, its redirect URI and PKCE",
  (subject) => {
    for (const { label, code } of clientSnippets(subject)) {
      expect(code).toContain(subject.clientId);
      expect(code).toContain("S256");
      expect(code).toContain(
        label === "curl"
          ? hostedCallbackUri(subject.baseUrl, subject.clientId)
          : subject.redirectUri,
      );
    }
  },
);

/** `curl` prints its arguments, or the reply of a token endpoint. */
const doubles = `curl() { case "$*" in *oauth/token*) echo '{"access_token":"adj_at_1","token_type":"Bearer"}'; echo "$@" >&2;; *) echo "$@";; esac; }`;

test.each(subjects)(
  "curl is the first sample, and for a $kind application at $baseUrl it pastes as one block that asks for the code",
  (subject) => {
    const [curl] = clientSnippets(subject);
    expect(curl?.label).toBe("curl");
    expect(curl?.code).toMatch(/^\{\n[^#]*\n\}$/);
    // The shell reads the answers after the block, as from a terminal.
    const typed = subject.kind === "public" ? "code-1\n" : "secret-1\ncode-1\n";
    const printed = execFileSync("bash", ["-u"], {
      input: `${doubles}\n${curl?.code}\n${typed}`,
      encoding: "utf8",
      stdio: ["pipe", "pipe", "ignore"],
    });
    expect(printed).toContain(`${subject.baseUrl}/oauth/authorize?`);
    expect(printed.trim().split("\n").at(-1)).toBe(
      `${subject.baseUrl}/api/v1/user -H Authorization: Bearer adj_at_1`,
    );
  },
);

test("the command for a code that a page shows sends a verifier only to a request that had a challenge", () => {
  const [subject] = subjects;
  if (!subject) throw new Error("There is a subject.");
  const command = exchangeSnippet({ ...subject, code: "adj_ac_1" });
  expect(command).toContain('code="adj_ac_1"');
  expect(command).not.toContain("verifier");
});

test.each(subjects)(
  "a sample asks for a secret exactly where a $kind application has one",
  (subject) => {
    for (const { code } of clientSnippets(subject))
      expect(code.includes("CLIENT_SECRET")).toBe(subject.kind === "confidential");
  },
);
