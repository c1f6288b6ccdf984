import { expect, test } from "vitest";
import { longestEndpointUrl, readEndpointUrl } from "./endpoint-url";

const live = { baseUrl: "https://adjutant.example", webhookLoopback: "refused" } as const;
const local = { baseUrl: "http://localhost:3000", webhookLoopback: "allowed" } as const;

test.each([
  [
    "https://hooks.example.com/adjutant?tenant=a%2Fb&x=1",
    "https://hooks.example.com/adjutant?tenant=a%2Fb&x=1",
  ],
  ["https://hooks.example.com", "https://hooks.example.com/"],
  ["HTTPS://Hooks.Example.COM:443/Path", "https://hooks.example.com/Path"],
  ["  https://hooks.example.com/a\n", "https://hooks.example.com/a"],
  ["https://bücher.example/", "https://xn--bcher-kva.example/"],
  ["https:\\\\hooks.example.com\\a/../b", "https://hooks.example.com/b"],
  ["https://hooks.adjutant.example/", "https://hooks.adjutant.example/"],
  ["https://hooks.example.com/ü b", "https://hooks.example.com/%C3%BC%20b"],
])("%j is stored as %s", (text, url) => {
  for (const settings of [live, local]) expect(readEndpointUrl(text, settings)).toEqual({ url });
});

const noName = /not an IP address/;

test.each([
  ["", /empty/],
  [" \n", /empty/],
  ["hooks.example.com", /valid/],
  ["/hooks", /valid/],
  ["https://", /valid/],
  ["https://hooks.example.com:99999/", /valid/],
  ["https://a b.example/", /valid/],
  ["https://1.2.3.4.5/", /valid/],
  ["http://hooks.example.com/", /https/],
  ["ftp://hooks.example.com/", /https/],
  ["file:///etc/passwd", /https/],
  ["javascript:alert(1)", /https/],
  ["blob:https://hooks.example.com/1", /https/],
  ["https://hooks.example.com:8443/", /port 443/],
  ["https://hooks.example.com:80/", /port 443/],
  ["https://8.8.8.8/", noName],
  ["https://127.0.0.1/", noName],
  ["https://127.1/", noName],
  ["https://0x7f.1/", noName],
  ["https://0x7f000001/", noName],
  ["https://2130706433/", noName],
  ["https://0177.0.0.1/", noName],
  ["https://017700000001/", noName],
  ["https://１２７.０.０.１/", noName],
  ["https://127。0。0。1/", noName],
  ["https://①②⑦.0.0.1/", noName],
  ["https://%31%32%37.0.0.1/", noName],
  ["https://127.0.0.1./", noName],
  ["https://[::1]/", noName],
  ["https://[2606:4700:4700::1111]/", noName],
  ["https://[::ffff:127.0.0.1]/", noName],
  ["https://[64:ff9b::7f00:1]/", noName],
  ["https://0/", noName],
  ["https://localhost/", /full name/],
  ["https://intranet/hook", /full name/],
  ["https://hooks.example.com./", /plain name/],
  ["https://localhost./", /plain name/],
  ["https://LOCALHOST。/", /plain name/],
  ["https://adjutant.example./", /plain name/],
  ["https://[::ffff:7f00:1]/", noName],
  ["https://[2002:7f00:1::]/", noName],
  ["https://[fe80::1%25eth0]/", /valid/],
  ["https://0xA9FEA9FE/", noName],
  ["https://0251.0376.0251.0376/", noName],
  ["https://10.0x1/", noName],
  ["https://my_hooks.example.com/", /plain name/],
  ["https://-hooks.example.com/", /plain name/],
  ["https://hooks..example.com/", /plain name|valid/],
  ["https://*.example.com/", /plain name/],
  ["https://user@hooks.example.com/", /user name/],
  ["https://user:pass@hooks.example.com/", /user name/],
  ["https://:pass@hooks.example.com/", /user name/],
  ["https://hooks.example.com\\@127.0.0.1/#", /fragment/],
  ["https://hooks.example.com/#", /fragment/],
  ["https://hooks.example.com/#a", /fragment/],
  ["https://adjutant.example/", /this service/],
  ["https://ADJUTANT.example:443/api/v1/user", /this service/],
  [`https://hooks.example.com/${"x".repeat(longestEndpointUrl)}`, /at most 2000/],
  [`https://hooks.example.com/${"ü".repeat(longestEndpointUrl / 2)}`, /at most 2000/],
])("%j cannot be the URL of an endpoint, and a sentence says why", (text, sentence) => {
  expect(readEndpointUrl(text, live)).toEqual({ why: expect.stringMatching(sentence) });
});

test.each([
  ["http://localhost:4000/hook", "http://localhost:4000/hook"],
  ["http://127.0.0.1:4000", "http://127.0.0.1:4000/"],
  ["http://[::1]:4000/", "http://[::1]:4000/"],
  ["http://0x7f.1/", "http://127.0.0.1/"],
])("for development %s is accepted, and only where the settings say so", (text, url) => {
  expect(readEndpointUrl(text, local)).toEqual({ url });
  expect(readEndpointUrl(text, live)).toHaveProperty("why");
});

test.each([
  ["http://hooks.example.com/", /https/],
  ["http://127.0.0.2:4000/", /https/],
  ["http://169.254.169.254/", /https/],
  ["https://10.0.0.1/", noName],
  ["https://hooks.example.com:8443/", /port 443/],
  ["https://localhost:4000/", /http:/],
  ["http://user@localhost:4000/", /user name/],
  ["http://localhost:4000/#a", /fragment/],
  ["http://localhost:3000/api/v1/user", /this service/],
  ["http://127.0.0.1:3000/", /this service/],
  ["http://[::1]:3000/", /this service/],
])("where loopback is allowed, %s is refused all the same", (text, sentence) => {
  expect(readEndpointUrl(text, local)).toEqual({ why: expect.stringMatching(sentence) });
});
