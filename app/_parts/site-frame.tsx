import type { ReactNode } from "react";
import { currentTheme, currentViewer } from "#app/_lib/current-user";
import { operatorLinks } from "#app/_lib/settings";
import { SearchLink } from "#app/_parts/search/search-link.tsx";
import { PageShell } from "#app/_ui/page-shell.tsx";

type Props = { bare?: boolean; children: ReactNode };

export async function SiteFrame({ bare, children }: Props) {
  return (
    <PageShell
      viewer={await currentViewer()}
      bare={bare}
      theme={await currentTheme()}
      operatorLinks={operatorLinks()}
      search={<SearchLink />}
    >
      {children}
    </PageShell>
  );
}
