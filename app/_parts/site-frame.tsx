import type { ReactNode } from "react";
import { currentTheme, currentViewer } from "#app/_lib/current-user";
import { operatorLinks } from "#app/_lib/settings";
import { SearchLink } from "#app/_parts/search/search-link.tsx";
import { PageShell } from "#app/_ui/page-shell.tsx";

type Props = {
  width?: "page" | "narrow" | "bare";
  /** Where "Sign in" of the header goes, so that one comes back here. */
  signInHref?: string;
  children: ReactNode;
};

/** The frame of a page, with the signed-in player. */
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
