import { createServerSideHelpers } from "@trpc/react-query/server";
import { cache, type ReactNode } from "react";
import superjson from "superjson";
import { portalContext } from "#app/_lib/caller";
import { TrpcProvider } from "#app/_lib/trpc";
import { appRouter } from "#server/portal/router";
import { CsrfMeta } from "./csrf-form";

/**
 * Asks procedures for the interactive parts of a page: after `await (await prefetcher()).secondFactor.show.fetch()` a part reads
 * the same by `trpc.secondFactor.show.useSuspenseQuery()`, and asks nothing. One for a request. It is apart from `caller`
 * because it brings the script of React Query into every page that imports it.
 */
export const prefetcher = cache(async () =>
  createServerSideHelpers({
    router: appRouter,
    ctx: await portalContext(),
    transformer: superjson,
  }),
);

/** Holds the parts of a page that need script: gives them the procedures, the session's token and what the page prefetched. */
export async function Interactive({ children }: { children: ReactNode }) {
  const prefetched = await prefetcher();
  return (
    <>
      <CsrfMeta />
      <TrpcProvider known={prefetched.dehydrate()}>{children}</TrpcProvider>
    </>
  );
}
