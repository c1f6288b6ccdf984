import type { NextRequest } from "next/server";
import { searchDocs } from "../search-index";

export const dynamic = "force-dynamic";

/** Most results in the dialog; the search page shows more. */
const mostShown = 12;

export async function GET({ nextUrl }: NextRequest): Promise<Response> {
  const found = await searchDocs(nextUrl.searchParams.get("q") ?? "");
  return Response.json(found.slice(0, mostShown), {
    headers: { "Cache-Control": "private, no-cache" },
  });
}
