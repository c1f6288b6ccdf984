import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { readSettings, type Settings } from "#server/platform/env";
import { createIds } from "#server/platform/ids";
import { createLog, type Log } from "#server/platform/log";
import { hasFront, internalRequestIdHeader } from "#server/platform/peer-address";
import { redirectConsole } from "#server/platform/process";
import { refuseUnreadable } from "./refuse";

/** Refuses requests that Next mishandles, if Next runs without the front. */
export function guardNextServer(): void {
  const settings = readSettings();
  if (hasFront() || settings.development) return;
  const ids = createIds();
  const guarded = new WeakSet<Server>();
  // Next creates its server itself, so the first request gives access to it.
  subscribe("http.server.request.start", (message) => {
    const { server } = message as { server: Server };
    if (guarded.has(server)) return;
    guarded.add(server);
    const listeners = server.listeners("request") as ((
      request: IncomingMessage,
      response: ServerResponse,
    ) => void)[];
    server.removeAllListeners("request");
    server.on("request", (request, response) => {
      if (refuseUnreadable(request, response, ids.request())) return;
      // A client's header would make `proxy.ts` skip the request.
      delete request.headers[internalRequestIdHeader];
      for (const listener of listeners) listener.call(server, request, response);
    });
  });
  const log = createLog(settings.logLevel);
  redirectConsole(log);
  sayLimits(log, settings);
}

function sayLimits(
  log: Log,
  { trustedPlatformHeader }: Pick<Settings, "trustedPlatformHeader">,
): void {
  const platform = ["RATE_PAGES", "slow readers", "pipelined requests", "time-outs of connections"];
  const leftToPlatform = {
    leftToPlatform: platform,
    bodyOfGet: "not read",
    pagesWithoutDatabase: "answer 500",
  };
  if (trustedPlatformHeader)
    log.info(
      { ...leftToPlatform, addressFrom: trustedPlatformHeader },
      "Next serves without the production server: limits by address go by the platform's header",
    );
  else
    log.warn(
      {
        ...leftToPlatform,
        countedTogether: [
          "RATE_PEER",
          "RATE_CLIENT_FAILURES",
          "RATE_AUTHORIZE",
          "RATE_SIGN_IN_ADDRESS",
        ],
      },
      "Next serves without the production server and knows no addresses: limits by address count all callers together. Set TRUSTED_PLATFORM_HEADER, or use npm start",
    );
}
