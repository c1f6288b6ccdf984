import { openServices, openOurs } from "./ours";
const services = await openServices();
if (!services) throw new Error("no redis");
const ours = await openOurs(services, { RATE_PAGES: "1000000000", NODE_OPTIONS: "--require /tmp/log.cjs" });
const h = { cookie: ours.cookie };
const get = async (p: string) => (await fetch(ours.product.url + p, { headers: h })).arrayBuffer();
for (let i = 0; i < 5; i++) { await get("/developers"); await get("/account"); }
await new Promise((r) => setTimeout(r, 3000));
process.kill(ours.product.process.pid ?? 0, "SIGUSR2");
await get("/developers");
await new Promise((r) => setTimeout(r, 50));
process.kill(ours.product.process.pid ?? 0, "SIGUSR2");
await ours.stop(); process.exit(0);
