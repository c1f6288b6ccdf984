import { expect, test } from "vitest";
import { createKeyring } from "#server/platform/keyring";
import { maskSecrets, readPasted } from "./read-pasted";

const keyring = createKeyring(["tests-alone-use-this-Server-Secret-0123456789"]);
const read = (text: string, by = keyring) => readPasted(by, text, "https://adjutant.test");

const address = "https://adjutant.test/oauth/authorize";

test.each([
  `${address}?client_id=a&scope=identity`,
  `  ${address}?client_id=a&scope=identity#part `,
  `curl '${address}?client_id=a&scope=identity' -H 'Accept: text/html'`,
  `curl -sS "${address}?client_id=a&scope=identity"`,
  `curl $'${address}?client_id=a&scope=identity' \\\n  -H 'accept: */*?'`,
  `$ open ${address}?client_id=a&scope=identity`,
])("the address is found in %j", (text) => {
  expect(read(text)).toEqual({
    kind: "address",
    address,
    parameters: new URLSearchParams("client_id=a&scope=identity"),
  });
});

test("a query alone has no address", () => {
  expect(read("?client_id=a")).toMatchObject({ kind: "address", address: "" });
});

test.each(["", "hello", address, "curl -X POST"])("there is none in %j", (text) => {
  expect(read(text)).toEqual({ kind: "unreadable" });
});

test.each([
  ["1vwfT0FyYk7i57R4OLCIaq", "1vwfT0FyYk7i57R4OLCIaq"],
  [" 1vwfT0FyYk7i57R4OLCIaq\n", "1vwfT0FyYk7i57R4OLCIaq"],
  ["X-Request-Id: 1vwfT0FyYk7i57R4OLCIaq", "1vwfT0FyYk7i57R4OLCIaq"],
  ["HTTP/1.1 401\r\nx-request-id: 1vwfT0FyYk7i57R4OLCIaq\r\n\r\n{}", "1vwfT0FyYk7i57R4OLCIaq"],
  [`{"status":403,"x-request-id":"1vwfT0FyYk7i57R4OLCIaq"}`, "1vwfT0FyYk7i57R4OLCIaq"],
  ["X-Request-Id: short", undefined],
  ["https://client.test/?x=1", undefined],
])("of %j the request id is %s", (text, id) => {
  const found = read(text);
  expect(found.kind === "request-id" ? found.requestId : undefined).toBe(id);
});

const api = "https://adjutant.test/api/v1/user";

test.each([
  ["a webhook secret", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD=="],
  ["a cookie", 'a=Zm9v; session="c2Vzc2lvbg"', "curl -H 'Cookie: $' URL"],
  ["a cookie of an answer", "session=c2Vzc2lvbg; Path=/", "HTTP/1.1 200\nSet-Cookie: $\n\nURL"],
  ["a cookie in JSON", "session=c2Vzc2lvbg", '{"cookie": "$", "url": "URL"}'],
  ["a cookie by -b", "session=c2Vzc2lvbg", "curl -b $ URL"],
  ["a cookie by --cookie", "session=c2Vzc2lvbg; b=2", "curl --cookie='$' URL"],
  ["a game key", "aB3dE6gH9jK2mN5p", "My key is $ and I call URL"],
  ["a game key by itself", "DemoDeveloper001", "$"],
  ["a game key in an address", "ABCDEFGHIJKLMNOP", "https://game.test/user?key=$&x=1"],
  ["a game key behind a scheme", "aB3dE6gH9jK2mN5p", "curl -H 'Authorization: ApiKey $' URL"],
  ["credentials of -u", "client:s3cret", "curl -u $ URL"],
  ["credentials of -u in quotes", "client:s3 cret", "curl -u '$' URL"],
  ["credentials joined to -u", "client:s3cret", "curl -u$ URL"],
  ["credentials behind other letters", "client:s3cret", "curl -sSu $ URL"],
  ["credentials of --user", "client:s3cret", "curl --user=$ URL"],
  ["credentials in an address", "client:s3cret", "curl https://$@adjutant.test/api/v1/user"],
  ["a bare authorization", "s3cret", 'curl -H "Authorization: $" URL'],
  ["a digest", 'username="me", response="6629fae4"', "curl -H 'Authorization: Digest $' URL"],
  ["an authorization in JSON", "s3cret", '{"authorization":"$"}'],
  ["an authorization on a line", "Token s3cret", "GET /api/v1/user HTTP/1.1\nauthorization: $"],
  ["a proxy's authorization", "s3cret", "curl -H 'Proxy-Authorization: Custom $' URL"],
  ["a bearer token of another service", "ey.Jh.x", "curl --oauth2-bearer $ URL"],
  ["a cookie by -b as a browser copies it", "$'a=Zm9v; b=c2Vzc2lvbg'", "curl -b $ URL"],
  ["a webhook secret in a query", "whsec_C2FVsBQIhrscChlQIMV%2Bb5sSYspob7oD%3D"],
  ["an authorization in a program", "Token s3cretvalue", 'h.set("Authorization", "$"); // URL'],
  ["an authorization in PowerShell", "Token s3cretvalue", '@{Authorization = "$"} URL'],
  ["an authorization in PHP", "Token s3cretvalue", "['Authorization' => '$'] URL"],
  ["another service's client secret", "s3cret", "curl -d client_id=a -d client_secret=$ URL"],
])("%s stands in no address", (_what, secret, form = "curl -d $ URL") => {
  const text = form.replace("$", () => secret).replace("URL", api);
  const masked = maskSecrets(keyring, text);
  expect(masked).not.toContain(secret);
  for (const part of secret.split(/[^\w+/]+/).filter((word) => word.length > 5))
    if (part !== "client" && part !== "session") expect(masked).not.toContain(part);
  if (form.includes("URL")) expect(masked).toContain(api);
  expect(maskSecrets(keyring, masked)).toBe(masked);
});

test.each([
  `curl '${api}' -H 'Accept: application/json'`,
  "https://adjutant.test/oauth/authorize?client_id=a&state=3f2a9c&redirect_uri=https://myapplicationxyz.test/cb",
  "X-Request-Id: 1vwfT0FyYk7i57R4OLCIaq",
  '{"code":4002,"error":"No authentication information"}',
  "4bf92f3577b34da6",
])("%j has no secret and stays as it is", (text) => {
  expect(maskSecrets(keyring, text)).toBe(text);
});

test("the scheme of a masked header is still judged", () => {
  const sent = (header: string) => {
    const found = read(maskSecrets(keyring, `curl -H '${header}' ${api}`));
    return found.kind === "api-call" ? found.authorization : undefined;
  };
  expect(sent("Authorization: Bearer abc")).toBe("Bearer masked");
  expect(sent("authorization: Basic YTpi")).toBe("Basic masked");
  expect(sent("Authorization: Token abc")).toBe("masked");
});

test("of 2,300 pasted hashes no more are looked up than there are server secrets", () => {
  const hashes = Array.from({ length: 2_300 }, (_, at) => String(at).padStart(43, "x"));
  const pasted = `adj_rt_masked:${hashes.join(",")}`;
  const another = createKeyring([
    "tests-alone-use-this-Server-Secret-0123456789",
    "tests-alone-used-this-Server-Secret-before-0123456789",
  ]);
  expect(read(pasted)).toMatchObject({ secret: { hashes: hashes.slice(0, 1) } });
  expect(read(pasted, another)).toMatchObject({ secret: { hashes: hashes.slice(0, 2) } });
});

test("a hundred thousand braces are read in one pass", { timeout: 10_000 }, () => {
  expect(read("{".repeat(100_000)).kind).toBe("unreadable");
  expect(read('HTTP/1.1 403\n{"code": 4004, "error": "x"}\n')).toEqual({
    kind: "error-body",
    answer: { code: 4004 },
  });
});
