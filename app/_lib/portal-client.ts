import { createTRPCClient } from "@trpc/client";
import type { AppRouter } from "#server/trpc/router";
import { portalLinks } from "./portal-links";

/** The portal's procedures for acts of a page that shows nothing live: it comes with the first act, through `useAct`. */
export const portalClient = createTRPCClient<AppRouter>({ links: portalLinks() });

export type PortalClient = typeof portalClient;
