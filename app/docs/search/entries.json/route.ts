import { caller } from "#app/_lib/caller";
import { currentUser } from "#app/_lib/current-user";
import { searchEntries } from "../search-entries";

export const dynamic = "force-dynamic";

/** The browser's search index. Shared by all visitors without a session. */
export async function GET(): Promise<Response> {
  const own = (await currentUser()) ? await (await caller()).applications.names() : [];
  return Response.json(searchEntries(own), { headers: { "Cache-Control": "private, no-cache" } });
}
