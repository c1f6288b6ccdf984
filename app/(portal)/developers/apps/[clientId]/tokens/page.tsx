import { Users } from "lucide-react";
import { caller } from "#app/_lib/caller";
import { applicationMetadata, requireApplication } from "#app/_lib/current-user";
import { formatCappedCount, formatCount, formatNumber } from "#app/_lib/format";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { ConfirmButton } from "#app/_parts/confirm-button.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { ListFooter } from "#app/_parts/list-controls.tsx";
import { PlayerName } from "#app/_parts/player-link.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { EmptyState } from "#app/_ui/card.tsx";
import { TableCard } from "#app/_ui/data-table.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { ConfirmByNameCard, wrongNameMessages } from "../_parts/confirm-by-name";

export const generateMetadata = applicationMetadata("Tokens of");

const done = { revoked: "Access revoked. The tokens no longer work." };

/** Tokens are never shown, because only the application has them. */
export default async function Tokens({ params, searchParams }: PageProps<"clientId">) {
  const { clientId, name } = await requireApplication(await params, "tokens");
  const after = (await readParam(searchParams, "after"))?.slice(0, 100);
  const { rows, next, all } = await (await caller()).applications.liveGrants({ clientId, after });
  const page = `/developers/apps/${clientId}/tokens`;
  const players = formatCappedCount(all.players, "player");
  const grants = formatCappedCount(all.grants, "grant");
  const tokens = formatCappedCount(all.tokens, "live token");
  return (
    <>
      <FormNotice searchParams={searchParams} done={done} wrong={wrongNameMessages} />
      <TableCard
        title="Live access"
        description={`${players} with ${grants}, ${tokens}. ${all.grants.more ? "Only the newest grants are included. " : ""}One grant per device that connected.`}
        footer={
          <ListFooter address={page} after={after} next={next}>
            Newest first. Ended access is not listed.
          </ListFooter>
        }
        rows={rows}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={<Users />}
            title="Nobody is connected"
            action={
              <LinkButton href={`/developers/apps/${clientId}`}>Code that connects</LinkButton>
            }
          >
            When the application exchanges a player's code, the grant is listed here as long as it
            has a live token.
          </EmptyState>
        }
        columns={[
          {
            header: "Player",
            primary: true,
            cell: ({ player, paused }) => (
              <span className="flex flex-wrap items-center gap-x-2">
                <span className="font-medium wrap-anywhere">
                  <PlayerName name={player.name} playerId={player.id} />
                </span>
                {paused && <Badge tone="warn">Paused</Badge>}
              </span>
            ),
          },
          {
            header: "Scopes",
            cell: ({ scopes }) =>
              scopes.length === 0 ? (
                <span className="text-ink-faint">None</span>
              ) : (
                <code className="text-xs wrap-anywhere">{scopes.join(" ")}</code>
              ),
          },
          { header: "Since", at: ({ at }) => at },
          { header: "Last used", at: ({ lastUsed }) => lastUsed },
          {
            header: "Live tokens",
            numeric: true,
            cell: (grant) => formatNumber(grant.tokens),
          },
          {
            header: "Revoke",
            actions: true,
            cell: ({ id, player, tokens: live }) => (
              <ConfirmButton
                label="Revoke"
                what={`access for ${player.name} [${player.id}]`}
                confirm="Revoke"
                consequences={`1 player, ${formatCount(live, "live token")}, one grant. The player's other grants are not affected. The player gets a notice and can connect again.`}
                action={`${page}/revoke`}
                fields={{ grant_id: id }}
              />
            ),
          },
        ]}
      />
      {all.grants.count > 0 && (
        <ConfirmByNameCard
          title="Revoke all access"
          description="Use this after a leak. The application stays, and players can connect again."
          players={all.players}
          tokens={all.tokens}
          label="Revoke all"
          consequences={[
            `${players} with ${grants} will be cut off`,
            `${tokens} will end at once, and every refresh token`,
            "Each player gets a notice",
            "If a secret leaked, replace it first: it could be used to get new tokens",
          ]}
          action={`${page}/revoke`}
          name={name}
          searchParams={searchParams}
        />
      )}
    </>
  );
}
