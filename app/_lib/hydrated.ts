"use client";

import { type DehydratedState, HydrationBoundary } from "@tanstack/react-query";
import { createElement, type ReactNode, useMemo } from "react";
import superjson, { type SuperJSONResult } from "superjson";

interface Props {
  /** What `prefetcher().dehydrate()` gave on the server. */
  readonly state: unknown;
  readonly children: ReactNode;
}

/** Hands what the server already asked to the client components below, so that they show it at once and ask nothing. */
export function Hydrated({ state, children }: Props) {
  const hydrated = useMemo(() => superjson.deserialize<DehydratedState>(state as SuperJSONResult), [state]);
  return createElement(HydrationBoundary, { state: hydrated }, children);
}
