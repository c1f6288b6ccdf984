import type { Context } from "#server/context";
import { type DelayQuery, listDelays } from "./board/store";

type CrimeDelay = Awaited<ReturnType<typeof listDelays>>[number];

/** Where the next page begins: at a crime, behind so many of its delays. */
export interface NextPage {
  readonly after: number;
  readonly skip: number;
}

/** A page of a faction's delays, newest crime first, and where the next begins, if there is one. */
export async function listCrimeDelays(
  ctx: Context,
  asked: DelayQuery,
): Promise<{ delays: CrimeDelay[]; next: NextPage | undefined }> {
  const rows = await listDelays(ctx.database, { ...asked, limit: asked.limit + 1 });
  const delays = rows.slice(0, asked.limit);
  const last = delays.at(-1);
  const following = rows[asked.limit];
  if (!last || !following) return { delays, next: undefined };
  // Only where a page ends within a crime does the next one have to leave something out.
  const given = delays.filter(({ crimeId }) => crimeId === following.crimeId).length;
  const before = following.crimeId === asked.highest ? asked.skip : 0;
  return { delays, next: { after: following.crimeId, skip: given === 0 ? 0 : given + before } };
}
