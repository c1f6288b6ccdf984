import { createCaller } from "#server/trpc/router";
import { portalContext } from "./portal-context";

/** The portal's procedures for server components, called as whoever asks for the page. Failures are thrown as TRPCError. */
export const caller = async () => createCaller(await portalContext());
