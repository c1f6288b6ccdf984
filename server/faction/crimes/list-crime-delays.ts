import type { Context } from "#server/context";
import type { PlaceCursor } from "#server/platform/page-cursor";
import { type DelayQuery, listDelays } from "./board/store";

type CrimeDelay = Awaited<ReturnType<typeof listDelays>>[number];

/** A page of a faction's delays, newest crime first, and where the next begins: at a crime, after so many of its delays. */
export async function listCrimeDelays(
  ctx: Context,
  asked: DelayQuery,
): Promise<{ delays: CrimeDelay[]; next: PlaceCursor | undefined }> {
  const rows = await listDelays(ctx.database, { ...asked, limit: asked.limit + 1 });
  const delays = rows.slice(0, asked.limit);
  const last = delays.at(-1);
  const following = rows[asked.limit];
  if (!last || !following) return { delays, next: undefined };
  // Only where a page ends within a crime does the next one have to leave something out.
  const given = delays.filter(({ crimeId }) => crimeId === following.crimeId).length;
  const before = following.crimeId === asked.highest ? asked.skip : 0;
  return { delays, next: { place: following.crimeId, row: given === 0 ? 0 : given + before } };
}
