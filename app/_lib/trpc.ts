"use client";

import { httpBatchLink } from "@trpc/client";
import { createTRPCNext } from "@trpc/next";
import { type ComponentType, createElement, Fragment, type ReactNode } from "react";
import superjson from "superjson";
import type { AppRouter } from "#server/trpc/router";

const longestUrl = 2_000;
const tokenMeta = "csrf-token";

const sentToken = () => document.querySelector<HTMLMetaElement>(`meta[name="${tokenMeta}"]`)?.content ?? "";

/** The portal's procedures for client components: `trpc.session.list.useQuery()`. */
export const trpc = createTRPCNext<AppRouter>({
  transformer: superjson,
  config: () => ({
    links: [
      httpBatchLink({
        url: "/api/trpc",
        transformer: superjson,
        maxURLLength: longestUrl,
        headers: () => ({ "x-csrf-token": sentToken() }),
      }),
    ],
    // What the server rendered is fresh enough; a mutation says itself what it made stale.
    queryClientConfig: {
      defaultOptions: { queries: { staleTime: 30_000, retry: false, refetchOnWindowFocus: false } },
    },
  }),
});

interface ShellProps {
  /** The token of `csrfToken()`. */
  readonly csrf: string;
  readonly children: ReactNode;
}

function Shell({ csrf, children }: ShellProps) {
  return createElement(Fragment, null, createElement("meta", { name: tokenMeta, content: csrf }), children);
}

/** Gives the client components below it the portal's procedures. */
export const TrpcProvider = trpc.withTRPC(Shell) as ComponentType<ShellProps>;
