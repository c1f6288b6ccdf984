import type { Metadata } from "next";
import { ownApplication } from "#app/_lib/current-user";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { Interactive, prefetcher } from "#app/_parts/interactive.tsx";
import { LiveGrants } from "../_parts/live-grants";

type Props = { params: Promise<{ clientId: string }>; searchParams: SearchParams };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Tokens of ${(await ownApplication((await params).clientId, "tokens")).name}` };
}

/** Only the application has the tokens, so none is shown. */
export default async function Tokens({ params, searchParams }: Props) {
  const { clientId, name } = await ownApplication((await params).clientId, "tokens");
  const after = (await readParam(searchParams, "after"))?.slice(0, 100);
  await (await prefetcher()).applications.liveGrants.fetch({ clientId, after: after ?? null });
  return (
    <Interactive>
      <LiveGrants clientId={clientId} name={name} after={after} />
    </Interactive>
  );
}
