import { portalContext } from "#app/_lib/caller";
import { changelogFeed } from "./changelog-feed";

export const dynamic = "force-dynamic";

export async function GET(): Promise<Response> {
  const { settings } = (await portalContext()).context;
  return new Response(changelogFeed({ settings }), {
    headers: {
      "Content-Type": "application/atom+xml; charset=utf-8",
      "Cache-Control": "private, no-cache",
    },
  });
}
