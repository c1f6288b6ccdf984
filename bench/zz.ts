import { openServices, openOurs } from "./ours";
import { processorTime } from "./processor-time";
import { trivialPage } from "./subjects/trivial-next";
import { writeFileSync } from "node:fs";
const prof = process.argv[2] === "prof";
const services = await openServices();
if (!services) throw new Error("no redis");
const ours = await openOurs(services, { RATE_PAGES: "1000000000", ...(prof && { NODE_OPTIONS: "--require /tmp/prof.cjs" }) });
const P = prof ? undefined : await trivialPage.start();
const measure = async (pid: number, url: string, headers: Record<string, string>, n: number) => {
  const one = async (k: number) => { for (let i = 0; i < k; i++) { const r = await fetch(url, { headers }); await r.arrayBuffer(); } };
  const c0 = processorTime(pid);
  await Promise.all([one(n / 4), one(n / 4), one(n / 4), one(n / 4)]);
  return ((processorTime(pid) - c0) / n);
};
const h = { cookie: ours.cookie, "accept-encoding": "gzip, br" };
const pages = (process.argv[3] ?? "/developers,/account").split(",");
const html = await (await fetch(ours.product.url + pages[0], { headers: { cookie: ours.cookie } })).text();
writeFileSync("/tmp/page.html", html);
console.log("html", html.length);
for (let r = 0; r < (prof ? 4 : 6); r++) {
  if (prof && r === 3) process.kill(ours.product.process.pid ?? 0, "SIGUSR2");
  const out: string[] = [];
  if (P && "url" in P) out.push("P " + (await measure(P.pid, P.url, {}, 400)).toFixed(2));
  for (const p of pages) out.push(p + " " + (await measure(ours.product.process.pid ?? 0, ours.product.url + p, h, 400)).toFixed(2));
  console.log(out.join("  "));
}
if (prof) { process.kill(ours.product.process.pid ?? 0, "SIGUSR2"); await new Promise((r) => setTimeout(r, 8000)); }
if (P && "stop" in P) await P.stop();
await ours.stop();
process.exit(0);
