import type { ReactNode } from "react";
import { Breadcrumbs } from "./breadcrumbs";

type Props = {
  title: ReactNode;
  lead?: ReactNode;
  /** The pages above this one, from the top. */
  trail?: readonly { label: string; href: string }[];
  /** Before the title: an avatar, an icon. */
  media?: ReactNode;
  /** Beside the title: badges of state. */
  status?: ReactNode;
  /** The page's one primary action, and at most one more. */
  actions?: ReactNode;
};

/** Says where one is, and holds the page's one primary action. Its title is the page's only h1. */
export function PageHeader({ title, lead, trail, media, status, actions }: Props) {
  return (
    <div className="grid gap-2">
      {trail && <Breadcrumbs items={trail} />}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 items-start gap-3">
          {media}
          <div className="min-w-0">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <h1 className="min-w-0 text-xl font-semibold wrap-anywhere">{title}</h1>
              {status}
            </div>
            {lead && <div className="mt-0.5 max-w-prose text-ink-soft">{lead}</div>}
          </div>
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
    </div>
  );
}
