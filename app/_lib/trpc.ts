"use client";

import { createTRPCNext } from "@trpc/next";
import { type ComponentType, createElement, Fragment, type ReactNode } from "react";
import superjson from "superjson";
import type { AppRouter } from "#server/trpc/router";
import { portalLinks } from "./portal-links";

/** The portal's procedures for components that show something live: `trpc.applications.list.useQuery()`. */
export const trpc = createTRPCNext<AppRouter>({
  transformer: superjson,
  config: () => ({
    links: portalLinks(),
    // What the server rendered is fresh enough; a mutation says itself what it made stale.
    queryClientConfig: {
      defaultOptions: { queries: { staleTime: 30_000, retry: false, refetchOnWindowFocus: false } },
    },
  }),
});

interface ShellProps {
  readonly children: ReactNode;
}

const Shell = ({ children }: ShellProps) => createElement(Fragment, null, children);

/** Gives the client components below it the portal's procedures. */
export const TrpcProvider = trpc.withTRPC(Shell) as ComponentType<ShellProps>;
