import type { ReactNode } from "react";
import { Logo } from "./logo";

type Props = {
  /** "narrow": one form or decision. "wide": with content beside it. */
  width?: "narrow" | "wide";
  footer?: ReactNode;
  children: ReactNode;
};

/** A page with one task and no navigation; also safe for error pages. */
export function BareShell({ width = "narrow", footer, children }: Props) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="mx-auto w-full max-w-page px-4 pt-3 sm:px-6 sm:pt-5">
        <a href="/" className="inline-flex rounded-control text-md">
          <Logo />
        </a>
      </header>
      <main
        id="main"
        className={
          width === "narrow"
            ? "mx-auto flex w-full max-w-120 flex-1 flex-col px-4 py-8 sm:py-14"
            : "mx-auto w-full max-w-page flex-1 px-4 pt-2 sm:px-6 sm:py-14"
        }
      >
        {children}
      </main>
      {footer}
    </div>
  );
}
