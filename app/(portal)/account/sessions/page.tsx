import { playerCaller } from "#app/_lib/current-user";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { ConfirmButton } from "#app/_parts/confirm-button.tsx";
import { ActButton } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { ListFooter } from "#app/_parts/list-controls.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { TableCard } from "#app/_ui/data-table.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { describeBrowser } from "#server/auth/describe-browser";

export const metadata = { title: "Sessions" };

const done = { ended: "Ended. That browser is signed out." };

export default async function Sessions({ searchParams }: PageProps) {
  const after = (await readParam(searchParams, "after"))?.slice(0, 100);
  const sessions = await (await playerCaller()).session.list({ after: after ?? null });
  const others = sessions.all - 1;
  return (
    <>
      <PageHeader
        title="Sessions"
        lead="A session ends 31 days after its last use. If you don't recognise one, end it and replace your game key."
      />
      <FormNotice searchParams={searchParams} done={done} />
      <TableCard
        footer={
          sessions.all > sessions.rows.length && (
            <ListFooter address="/account/sessions" after={after} next={sessions.next}>
              {sessions.all} sessions. At most 100 are kept; the oldest ends for the next.
            </ListFooter>
          )
        }
        caption="Sessions"
        rows={sessions.rows}
        rowKey={(session) => session.id}
        columns={[
          {
            header: "Browser",
            primary: true,
            cell: ({ userAgent, current }) => (
              <span className="flex flex-wrap items-center gap-2">
                <span className="font-medium" title={userAgent ?? undefined}>
                  {describeBrowser(userAgent)}
                </span>
                {current && <Badge tone="good">This browser</Badge>}
              </span>
            ),
          },
          {
            header: "Address",
            cell: ({ address }) => <span className="tabular">{address ?? "Unknown"}</span>,
          },
          { header: "Signed in", at: ({ signedInAt }) => signedInAt },
          { header: "Last used", at: ({ lastUsedAt }) => lastUsedAt },
          {
            header: "End",
            actions: true,
            cell: ({ id, current }) =>
              current ? null : (
                <ActButton action="/account/sessions/end" fields={{ id }}>
                  End
                </ActButton>
              ),
          },
        ]}
      />
      {others > 0 && (
        <Card tone="danger" title="End all others">
          <ConfirmButton
            label="End all other sessions"
            action="/account/sessions/end"
            fields={{ others: "yes" }}
            consequences={`${others} other ${others === 1 ? "browser is" : "browsers are"} signed out at once. This one stays signed in.`}
          />
        </Card>
      )}
    </>
  );
}
