import { createServer } from "node:http";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import { createContext } from "#server/create-context";
import { answerToken } from "#server/oauth/http";
import { readSettings } from "#server/platform/env";

/** Only the token endpoint: starts in half the time of an instance, for tests that kill many. */
const settings = readSettings();
const ctx = await createContext(settings);
const server = createServer(async (req, res) => {
  const said = await answerToken(ctx, new NodeRequest({ req, res }), {
    address: req.socket.remoteAddress ?? null,
  });
  await sendNodeResponse(res, said);
});
server.listen(settings.port, settings.host, () => {
  const address = server.address();
  process.stdout.write(`ready ${typeof address === "object" ? address?.port : ""}\n`);
});
