"use client";

import {
  type DehydratedState,
  HydrationBoundary,
  notifyManager,
  QueryClient,
} from "@tanstack/react-query";
import { httpLink } from "@trpc/client";
import { createTRPCNext } from "@trpc/next";
import { type ComponentType, createElement, type ReactNode, useMemo } from "react";
import superjson, { type SuperJSONResult } from "superjson";
import type { BrowserRouter } from "#server/portal/router";
import { csrfMeta } from "./csrf";

const sentToken = () =>
  document.querySelector<HTMLMetaElement>(`meta[name="${csrfMeta}"]`)?.content ?? "";

// A microtask marks a button as busy before a double click's second click.
notifyManager.setScheduler(queueMicrotask);

const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      // Rendered data is fresh, and mutations invalidate explicitly. Offline calls fail at once;
      // the default would wait for the connection.
      queries: {
        staleTime: 30_000,
        retry: false,
        refetchOnWindowFocus: false,
        networkMode: "always",
      },
      // Answers may hold secrets, so they are dropped with their component.
      mutations: { networkMode: "always", gcTime: 0 },
    },
  });

/**
 * The browser has one client for all pages, so that going back shows changes; the server makes one
 * per rendering.
 */
const ofThisTab = typeof window === "undefined" ? undefined : createQueryClient();

/** Client components use `trpc.applications.get.useSuspenseQuery({ clientId })`. */
export const trpc = createTRPCNext<BrowserRouter>({
  transformer: superjson,
  config: () => ({
    links: [
      // Pages bring their data, so there is nothing to batch.
      httpLink({
        url: "/api/trpc",
        transformer: superjson,
        headers: () => ({ "x-csrf-token": sentToken() }),
      }),
    ],
    queryClient: ofThisTab ?? createQueryClient(),
  }),
});

interface Props {
  /** Prefetched answers; see `Interactive`. */
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

export const TrpcProvider = trpc.withTRPC(Hydrated) as ComponentType<Props>;
