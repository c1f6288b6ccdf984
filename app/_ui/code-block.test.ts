import { expect, test } from "vitest";
import { highlight, type Language } from "./code-block";

const samples: [Language, string][] = [
  [
    "shell",
    'curl -u "$CLIENT_ID:$CLIENT_SECRET" \\\n  --data-urlencode code=$CODE # the code\nhttps://a.test/x#y',
  ],
  [
    "typescript",
    'const a = await fetch(`/x`); // call\nif (a.ok === true) throw new Error("no \\" way");',
  ],
  [
    "python",
    'import requests  # pip install\nr = requests.get(f"{base}/x", timeout=10)\nassert r.ok is not None',
  ],
  ["json", '{"chat_id": 1093847561029384756, "ok": true, "none": null}'],
  ["http", "GET /api/v1/user HTTP/1.1\nAuthorization: Bearer x"],
  ["text", "plain <b>"],
];

test.each(samples)("%s: the coloured parts are the code, letter for letter", (language, code) => {
  expect(
    highlight(code, language)
      .map((part) => part.text)
      .join(""),
  ).toBe(code);
});

const partsOf = (language: Language, code: string, kind: string) =>
  highlight(code, language)
    .filter((part) => part.kind === kind)
    .map((part) => part.text);

test("an anchor in a URL is no comment", () => {
  expect(partsOf("shell", "open https://a.test/x#y # why", "comment")).toEqual(["# why"]);
});

test("a word inside a string is no keyword", () => {
  expect(partsOf("typescript", 'const a = "await const";', "keyword")).toEqual(["const"]);
});

test("an integer above 2^53 keeps all its digits", () => {
  expect(partsOf("json", '{"chat_id": 1093847561029384756}', "number")).toEqual([
    "1093847561029384756",
  ]);
});
