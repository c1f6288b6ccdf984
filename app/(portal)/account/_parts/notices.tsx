import { ActButton } from "#app/_parts/csrf-form.tsx";
import { ListFooter } from "#app/_parts/list-controls.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { RouterOutputs } from "#server/portal/router";

type Props = {
  notices: RouterOutputs["account"]["notices"];
  /** Cursor of this page. */
  after?: string | undefined;
  on: "overview" | "notices";
};

const fewest = 5;

export function NoticesCard({ notices: { rows, next, unread }, after, on }: Props) {
  const shown = on === "overview" ? rows.slice(0, fewest) : rows;
  return (
    <Card
      title={on === "overview" ? "Notices" : unread === 0 ? "All read" : `${unread} unread`}
      flush
      actions={
        unread > 0 && (
          <ActButton action="/account/notices/read" fields={{ from: on }}>
            Mark all as read
          </ActButton>
        )
      }
      footer={
        on === "overview"
          ? rows.length > shown.length && <TextLink href="/account/notices">All notices</TextLink>
          : (next ?? after) && (
              <ListFooter address="/account/notices" after={after} next={next}>
                50 a page
              </ListFooter>
            )
      }
    >
      {shown.length === 0 ? (
        <EmptyState title="No notices">
          We tell you here if a key stops working or a token may have been stolen.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {shown.map(({ id, text, path, createdAt, readAt }) => (
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
  );
}
