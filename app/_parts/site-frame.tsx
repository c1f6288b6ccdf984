import type { ReactNode } from "react";
import { currentTheme, currentViewer } from "#app/_lib/current-user";
import { operatorLinks } from "#app/_lib/settings";
import { SearchLink } from "#app/_parts/search/search-link.tsx";
import { PageShell } from "#app/_ui/page-shell.tsx";

type Props = {
  width?: "page" | "narrow" | "bare";
  /** The way back after a sign-in. */
  signInHref?: string;
  children: ReactNode;
};

export async function SiteFrame({ width, signInHref, children }: Props) {
  return (
    <PageShell
      viewer={await currentViewer()}
      width={width}
      signInHref={signInHref}
      theme={await currentTheme()}
      operatorLinks={operatorLinks()}
      search={<SearchLink />}
    >
      {children}
    </PageShell>
  );
}
