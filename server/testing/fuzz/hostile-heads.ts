/** Headers and methods that broke somebody's service once. */

export const hostileHeaders: readonly (readonly [name: string, values: readonly string[]])[] = [
  [
    "accept",
    [
      "",
      "*/*",
      "text/html",
      "application/json;q=0",
      "application/*",
      ",,,",
      ";;",
      "application/json;q=x",
      "a".repeat(5_000),
    ],
  ],
  [
    "content-type",
    [
      "",
      "text/plain",
      "application/xml",
      "application/json; charset=utf-16",
      "APPLICATION/JSON",
      "json",
      "application/json,text/html",
      ";",
    ],
  ],
  [
    "if-none-match",
    ["*", '""', 'W/""', '"', ",", "a".repeat(5_000), '"a", "b"', "\u00ff", "W/W/", `${'"x",'.repeat(500)}*`],
  ],
  [
    "idempotency-key",
    ["", " ", "a", "b", "c", "a b", "\u00e9", "k".repeat(255), "k".repeat(256), "__proto__", "'--", "{}"],
  ],
  [
    "authorization",
    [
      "",
      "Bearer",
      "Bearer ",
      "Bearer  x",
      "Bearer a b",
      "Basic YTpi",
      "Token x",
      "Bearer \u00ff",
      `Bearer ${"x".repeat(6_000)}`,
      "bearer dead",
      "Bearer __proto__",
    ],
  ],
  ["cookie", ["session=1", "a".repeat(5_000), "__proto__=1; constructor=2"]],
  ["x-forwarded-for", ["203.0.113.9", "::1", "unknown, unknown", "'", "a".repeat(2_000)]],
  ["host", ["evil.example", "", "a:b:c", "[::1"]],
  ["origin", ["null", "https://evil.example", "\u00ff"]],
  ["x-http-method-override", ["DELETE", "PUT"]],
  ["range", ["bytes=0-1"]],
  ["expect", ["100-continue", "x"]],
  ["content-length", ["0", "1", "-1", "abc", "99999999"]],
  ["transfer-encoding", ["chunked", "gzip"]],
];

export const methods: readonly string[] = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "get",
  "BREW",
  "PROPFIND",
];
