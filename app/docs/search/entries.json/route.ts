import { caller } from "#app/_lib/caller";
import { currentUser } from "#app/_lib/current-user";
import { searchEntries } from "../search-entries";

export const dynamic = "force-dynamic";

/** The index of the search in the browser. Without a session it is the same for everybody. */
export async function GET(): Promise<Response> {
  const own = (await currentUser()) ? await (await caller()).applications.names() : [];
  return Response.json(searchEntries(own), { headers: { "Cache-Control": "private, no-cache" } });
}
