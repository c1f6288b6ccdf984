import type { ReactNode } from "react";
import { currentTheme, currentViewer } from "#app/_lib/current-user";
import { operatorLinks } from "#app/_lib/settings";
import { SearchLink } from "#app/_parts/search/search-link.tsx";
import { BareShell } from "#app/_ui/bare-shell.tsx";
import { classNames } from "#app/_ui/class-names.tsx";
import { PageShell } from "#app/_ui/page-shell.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";

export async function SiteFrame({ bare, children }: { bare?: boolean; children: ReactNode }) {
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

type Width = "narrow" | "wide";

export function BareFrame({ width = "narrow", children }: { width?: Width; children: ReactNode }) {
  return (
    <BareShell width={width} footer={<OperatorLinks width={width} />}>
      {children}
    </BareShell>
  );
}

function OperatorLinks({ width }: { width: Width }) {
  const links = operatorLinks();
  return (
    links.length > 0 && (
      <footer
        className={classNames(
          "mx-auto w-full px-4 pb-6 text-sm text-ink-faint",
          width === "narrow" ? "max-w-120" : "max-w-page sm:px-6",
        )}
      >
        <nav aria-label="This service" className="flex flex-wrap gap-x-5">
          <p aria-hidden="true">This service:</p>
          <ul className="flex flex-wrap gap-x-5">
            {links.map(({ href, label }) => (
              <li key={href}>
                <TextLink href={href} plain className="rounded-tag hover:text-ink hover:underline">
                  {label}
                </TextLink>
              </li>
            ))}
          </ul>
        </nav>
      </footer>
    )
  );
}
