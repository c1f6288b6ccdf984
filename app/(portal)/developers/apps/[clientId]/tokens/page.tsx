import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { formatCappedCount } from "#app/_lib/format-count";
import { ownApplication } from "#app/_lib/own-application";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { Card } from "#app/_ui/card.tsx";
import type { GrantCounts } from "#server/oauth/clients/live-grants/live-grant";
import { ListFooter } from "../_parts/list-footer";
import { LiveGrants } from "../_parts/live-grants";
import { RevokeAll } from "../_parts/revoke-all";

type Props = { params: Promise<{ clientId: string }>; searchParams: SearchParams };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Tokens of ${(await ownApplication((await params).clientId)).name}` };
}

function inAll({ players, grants, tokens }: GrantCounts): string {
  const counted = `${formatCappedCount(players, "player")} on ${formatCappedCount(grants, "device")}, ${formatCappedCount(tokens, "live token")}.`;
  return grants.more ? `${counted} Only the newest devices are included.` : counted;
}

/** Who is connected, and the way to end it. No token is shown: nobody but the application has one. */
export default async function Tokens({ params, searchParams }: Props) {
  const { clientId, name } = await ownApplication((await params).clientId);
  const after = (await readParam(searchParams, "after"))?.slice(0, 100);
  const { rows, next, all } = await (await caller()).applications.liveGrants({ clientId, after: after ?? null });
  return (
    <div className="grid gap-6">
      <Card
        title="Live access"
        description={`${inAll(all)} Calls aren't tracked per device.`}
        flush
        footer={
          <ListFooter address={`/developers/apps/${clientId}/tokens`} after={after} next={next}>
            Newest first. Ended access is not listed.
          </ListFooter>
        }
      >
        <LiveGrants clientId={clientId} grants={rows} />
      </Card>
      {all.grants.count > 0 && <RevokeAll clientId={clientId} name={name} all={all} />}
    </div>
  );
}
