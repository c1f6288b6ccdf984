import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { Logo } from "./logo";
import { TextLink } from "./text-link";

type Props = {
  /** "narrow": one form or one decision. "wide": with something beside it. */
  width?: "narrow" | "wide";
  /** Pages of the service's operator, for the foot. */
  operatorLinks?: readonly { href: string; label: string }[];
  children: ReactNode;
};

/** A page with one thing to do and nothing that leads away from it: the mark, and one main. Also what an error page can rely on. */
export function BareShell({ width = "narrow", operatorLinks = [], children }: Props) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="mx-auto w-full max-w-page px-4 pt-5 sm:px-6">
        <a href="/" className="inline-flex rounded-control text-md">
          <Logo />
        </a>
      </header>
      <main
        id="main"
        className={
          width === "narrow"
            ? "mx-auto flex w-full max-w-120 flex-1 flex-col px-4 py-8 sm:py-14"
            : "mx-auto w-full max-w-page flex-1 px-4 py-4 sm:px-6 sm:py-14"
        }
      >
        {children}
      </main>
      {operatorLinks.length > 0 && (
        <footer
          className={classNames(
            "mx-auto w-full px-4 pb-6 text-sm text-ink-faint",
            width === "narrow" ? "max-w-120" : "max-w-page sm:px-6",
          )}
        >
          <nav aria-label="This service" className="flex flex-wrap gap-x-5">
            <p aria-hidden="true">This service:</p>
            <ul className="flex flex-wrap gap-x-5">
              {operatorLinks.map(({ href, label }) => (
                <li key={href}>
                  <TextLink href={href} plain className="rounded-tag hover:text-ink hover:underline">
                    {label}
                  </TextLink>
                </li>
              ))}
            </ul>
          </nav>
        </footer>
      )}
    </div>
  );
}
