import { playerCaller } from "#app/_lib/current-user";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { ActButton } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { ListFooter } from "#app/_parts/list-controls.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";

export const metadata = { title: "Notices" };

export default async function NoticesPage({ searchParams }: PageProps) {
  const after = await readParam(searchParams, "after");
  const { account } = await playerCaller();
  const { rows, next, unread } = await account.notices({ after: after ?? null });
  return (
    <>
      <PageHeader
        title="Notices"
        lead={
          <>
            News about your keys, your applications and your account, newest first.{" "}
            <TextLink href="/account/notifications">Get them by chat or webhook</TextLink>
          </>
        }
      />
      <FormNotice searchParams={searchParams} done={{ read: "All notices are read." }} />
      <Card
        title={unread === 0 ? "All read" : `${unread} unread`}
        flush
        actions={
          unread > 0 && <ActButton action="/account/notices/read">Mark all as read</ActButton>
        }
        footer={
          (next ?? after) && (
            <ListFooter address="/account/notices" after={after} next={next}>
              50 a page
            </ListFooter>
          )
        }
      >
        {rows.length === 0 ? (
          <EmptyState title="No notices">
            We tell you here if a key stops working or a token may have been stolen.
          </EmptyState>
        ) : (
          <ul className="divide-y divide-line">
            {rows.map(({ id, text, path, createdAt, readAt }) => (
              <li
                key={id}
                className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-3 sm:px-5"
              >
                {readAt === null && <Badge tone="accent">New</Badge>}
                <p className="min-w-0 flex-1 basis-80 wrap-anywhere">
                  {text} {path && <TextLink href={path}>Open</TextLink>}
                </p>
                <Time at={createdAt} className="text-sm text-ink-faint" />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </>
  );
}
