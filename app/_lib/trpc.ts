"use client";

import {
  type DehydratedState,
  HydrationBoundary,
  notifyManager,
  QueryClient,
} from "@tanstack/react-query";
import { httpBatchLink } from "@trpc/client";
import { createTRPCNext } from "@trpc/next";
import { type ComponentType, createElement, type ReactNode, useMemo } from "react";
import superjson, { type SuperJSONResult } from "superjson";
import type { AppRouter } from "#server/portal/router";
import { csrfMeta } from "./csrf";

const longestUrl = 2_000;
/** The server takes no more at once. */
const mostBatched = 20;

const sentToken = () =>
  document.querySelector<HTMLMetaElement>(`meta[name="${csrfMeta}"]`)?.content ?? "";

// Without a delay a button is busy before the second click of a double one.
notifyManager.setScheduler(queueMicrotask);

const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      // What the server rendered is fresh enough, and a mutation says itself what it made stale. A call that cannot reach the
      // server fails at once and says so; by default it would wait for the connection.
      queries: {
        staleTime: 30_000,
        retry: false,
        refetchOnWindowFocus: false,
        networkMode: "always",
      },
      // Answers may hold secrets: they go with the component that shows them.
      mutations: { networkMode: "always", gcTime: 0 },
    },
  });

/** In the browser one for all pages, so that going back shows what was changed since; on the server one for each rendering. */
const ofThisTab = typeof window === "undefined" ? undefined : createQueryClient();

/** The portal's procedures for client components: `trpc.applications.get.useSuspenseQuery({ clientId })`. */
export const trpc = createTRPCNext<AppRouter>({
  transformer: superjson,
  config: () => ({
    links: [
      httpBatchLink({
        url: "/api/trpc",
        transformer: superjson,
        maxURLLength: longestUrl,
        maxItems: mostBatched,
        headers: () => ({ "x-csrf-token": sentToken() }),
      }),
    ],
    queryClient: ofThisTab ?? createQueryClient(),
  }),
});

interface Props {
  /** What the server asked already; see `Interactive`. Absent where all is asked by the browser. */
  readonly known?: unknown;
  readonly children: ReactNode;
}

function Hydrated({ known, children }: Props) {
  const state = useMemo(
    () =>
      known === undefined ? null : superjson.deserialize<DehydratedState>(known as SuperJSONResult),
    [known],
  );
  return createElement(HydrationBoundary, { state }, children);
}

/** Gives the client components below it the portal's procedures, and the answers that the server has already. */
export const TrpcProvider = trpc.withTRPC(Hydrated) as ComponentType<Props>;
