import { httpBatchLink } from "@trpc/client";
import superjson from "superjson";
import type { AppRouter } from "#server/trpc/router";
import { csrfMeta } from "./csrf";

const longestUrl = 2_000;
/** The server takes no more at once. */
const mostBatched = 20;

const sentToken = () => document.querySelector<HTMLMetaElement>(`meta[name="${csrfMeta}"]`)?.content ?? "";

/** How the browser reaches the procedures: batched, and with the session's token on every call. */
export const portalLinks = () => [
  httpBatchLink<AppRouter>({
    url: "/api/trpc",
    transformer: superjson,
    maxURLLength: longestUrl,
    maxItems: mostBatched,
    headers: () => ({ "x-csrf-token": sentToken() }),
  }),
];
