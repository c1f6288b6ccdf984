import { transform } from "esbuild";
import { expect, test } from "vitest";
import { endpointSamples } from "./endpoint-samples";

const subjects = [
  { method: "GET", url: "http://localhost:3000/api/v1/user", body: undefined },
  {
    method: "POST",
    url: "http://localhost:3000/api/v1/faction/1/banking",
    body: '{\n  "amount": "1m",\n  "timeout": null\n}',
  },
];

test.each(subjects)("the TypeScript sample of a $method is valid code", async (subject) => {
  const sample = endpointSamples(subject).find(({ language }) => language === "typescript");
  await transform(sample?.code ?? "", { loader: "ts", format: "esm" });
});

test.each(subjects)("every sample of a $method carries the address and the token", (subject) => {
  for (const { code } of endpointSamples(subject)) {
    expect(code).toContain(subject.url);
    expect(code).toMatch(/Bearer/);
  }
});
