import { openContext } from "#server/context";
import { createFront } from "#server/front/create-front";
import { readSettings } from "#server/platform/env";
import { surviveLostConnections } from "#server/process/survive-lost-connections";

/** One instance of the service without its pages, as a process of its own, for tests that kill it. Its environment is its settings. */
const settings = readSettings();
const ctx = await openContext(settings);
surviveLostConnections(ctx);
const server = createFront({
  ctx,
  pages: async (_request, response) => {
    response.writeHead(404).end();
  },
});
server.listen(settings.port, settings.host, () => {
  const address = server.address();
  process.stdout.write(`ready ${typeof address === "object" ? address?.port : ""}\n`);
});
