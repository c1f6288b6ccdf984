import { createServerSideHelpers } from "@trpc/react-query/server";
import superjson from "superjson";
import { appRouter } from "#server/trpc/router";
import { portalContext } from "./caller";

/**
 * Asks procedures on the server for client components: `await helpers.session.list.prefetch()`, then
 * `<Hydrated state={helpers.dehydrate()}>`. One per page.
 */
export const prefetcher = async () =>
  createServerSideHelpers({ router: appRouter, ctx: await portalContext(), transformer: superjson });
