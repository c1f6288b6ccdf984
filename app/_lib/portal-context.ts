import { headers } from "next/headers";
import { cache } from "react";
import { getContext } from "#server/context";
import { peerAddress } from "#server/platform/internal-peer";
import type { PortalContext } from "#server/trpc/init";
import { openPortalContext } from "#server/trpc/portal-context";
import { requestIdOf } from "./request-id-of";

/** Who asks for the page that is being rendered. Found out once per request, however many components ask. */
export const portalContext = cache(async (): Promise<PortalContext> => {
  const [context, sent] = await Promise.all([getContext(), headers()]);
  return openPortalContext(context, {
    cookies: sent.get("cookie"),
    userAgent: sent.get("user-agent"),
    origin: { requestId: requestIdOf(sent, context.ids), address: peerAddress(sent, context.settings) },
    setCookie: () => {
      throw new Error("A page cannot set a cookie; the target of a form can.");
    },
  });
});
