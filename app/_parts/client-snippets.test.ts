import { transform } from "esbuild";
import { expect, test } from "vitest";
import { clientSnippets } from "./client-snippets";

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
    for (const { code } of clientSnippets(subject)) {
      expect(code).toContain(subject.clientId);
      expect(code).toContain("S256");
      expect(code).toContain(subject.redirectUri);
    }
  },
);

test.each(subjects)(
  "a sample asks for a secret exactly where a $kind application has one",
  (subject) => {
    for (const { code } of clientSnippets(subject))
      expect(code.includes("CLIENT_SECRET")).toBe(subject.kind === "confidential");
  },
);
