import { createContext } from "#server/create-context";
import { createFront } from "#server/front/create-front";
import { drain } from "#server/front/drain";
import { readSettings } from "#server/platform/env";
import { endOnSignals, exitOnUnexpectedErrors } from "#server/platform/process";

/** A killable process of the service without pages, configured by its environment. */
const settings = readSettings();
const ctx = await createContext(settings);
exitOnUnexpectedErrors(ctx.log);
const server = createFront({
  ctx,
  pages: async (_request, response) => {
    response.writeHead(404).end();
  },
});
endOnSignals(ctx.log, () => drain({ ctx, server, notice: 0 }));
server.listen(settings.port, settings.host, () => {
  const address = server.address();
  process.stdout.write(`ready ${typeof address === "object" ? address?.port : ""}\n`);
});
