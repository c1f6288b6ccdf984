import type { NextRequest } from "next/server";
import { caller, portalContext } from "#app/_lib/caller";
import { docsSearch, longestQuestion } from "../search-index";

export const dynamic = "force-dynamic";

/** More are on the search page. */
const mostShown = 12;

export async function GET({ nextUrl }: NextRequest): Promise<Response> {
  const { context, user } = await portalContext();
  const own = user ? await (await caller()).applications.names() : [];
  const question = (nextUrl.searchParams.get("q") ?? "").slice(0, longestQuestion);
  return Response.json(docsSearch(context)(question, own).slice(0, mostShown), {
    headers: { "Cache-Control": "private, no-cache" },
  });
}
