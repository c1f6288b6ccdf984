import { portalContext } from "#app/_lib/caller";
import { showModelCard } from "#server/stats/estimates/estimate-stats";
import { guideMarkdown, isGuideName, showsModel } from "../../_parts/guides";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ guide?: string[] }> };

/** `/docs/oauth.md`, by a rewrite. RFC 7763. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const name = ((await params).guide ?? []).join("/");
  if (!isGuideName(name)) return new Response("No such guide.\n", { status: 404 });
  const { context } = await portalContext();
  const card = showsModel(name) ? await showModelCard(context) : null;
  return new Response(guideMarkdown(name, { settings: context.settings, card }), {
    headers: {
      "Content-Type": "text/markdown; charset=utf-8",
      "Cache-Control": "private, no-cache",
    },
  });
}
