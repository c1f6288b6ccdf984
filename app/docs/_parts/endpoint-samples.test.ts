import { transform } from "esbuild";
import { expect, test } from "vitest";
import { endpointSamples } from "./endpoint-samples";

type Subject = Parameters<typeof endpointSamples>[0];

const subjects: readonly Subject[] = [
  { method: "GET", url: "http://localhost:3000/api/v1/user", body: undefined, answers: true },
  {
    method: "POST",
    url: "http://localhost:3000/api/v1/faction/1/banking",
    body: '{\n  "amount": "1m",\n  "timeout": null\n}',
    idempotent: true,
    answers: true,
  },
  { method: "DELETE", url: "http://localhost:3000/api/v1/faction/1/banking/1", body: undefined, answers: false },
];
const codeOf = (subject: Subject) => endpointSamples(subject).map(({ code }) => code);

test.each(subjects)("the TypeScript sample of a $method is valid code", async (subject) => {
  const sample = endpointSamples(subject).find(({ language }) => language === "typescript");
  await transform(sample?.code ?? "", { loader: "ts", format: "esm" });
});

test.each(subjects)("every sample of a $method carries the address and the token", (subject) => {
  for (const code of codeOf(subject)) {
    expect(code).toContain(subject.url);
    expect(code).toMatch(/Bearer/);
  }
});

test("no sample reads a body where there is none, or sends one with a GET", () => {
  const [got, , deleted] = subjects;
  if (!got || !deleted) throw new Error("There are three subjects.");
  for (const code of codeOf(deleted)) expect(code).not.toMatch(/answer =/);
  for (const code of codeOf({ ...got, body: '{"limit": 1}' })) expect(code).not.toContain("limit");
});

test("a call that may be repeated is shown with a key of its own", () => {
  const [got, posted] = subjects;
  if (!got || !posted) throw new Error("There are three subjects.");
  for (const code of codeOf(posted)) expect(code).toContain("Idempotency-Key");
  for (const code of codeOf(got)) expect(code).not.toContain("Idempotency-Key");
});
