import { createServerSideHelpers } from "@trpc/react-query/server";
import { cache, type ReactNode } from "react";
import superjson from "superjson";
import { portalContext } from "#app/_lib/caller";
import { TrpcProvider } from "#app/_lib/trpc";
import { browserRouter } from "#server/portal/router";
import { CsrfMeta } from "./csrf-form";

/**
 * After `await (await prefetcher()).applications.names.fetch()`, a client component's
 * `trpc.applications.names.useSuspenseQuery()` needs no request. Separate from `caller`, because
 * prefetching pulls in React Query's script.
 */
export const prefetcher = cache(async () =>
  createServerSideHelpers({
    router: browserRouter,
    ctx: await portalContext(),
    transformer: superjson,
  }),
);

export async function ClientProviders({ children }: { children: ReactNode }) {
  const prefetched = await prefetcher();
  return (
    <>
      <CsrfMeta />
      <TrpcProvider known={prefetched.dehydrate()}>{children}</TrpcProvider>
    </>
  );
}
