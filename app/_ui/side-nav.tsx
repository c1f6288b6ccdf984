import type { ReactNode } from "react";
import { NavLink } from "./nav-link";

type Props = {
  /** What the section is: "Vault Keeper", "Account". */
  label: string;
  items: readonly { href: string; label: string; icon?: ReactNode; exact?: boolean }[];
  children: ReactNode;
};

/** A section of several pages: its navigation at the side, above where it is narrow, and the page beside it. */
export function SideNav({ label, items, children }: Props) {
  return (
    <div className="grid gap-6 lg:grid-cols-[12.5rem_minmax(0,1fr)] lg:gap-10">
      <nav
        aria-label={label}
        className="-mx-4 overflow-x-auto border-b border-line px-4 sm:-mx-6 sm:px-6 lg:mx-0 lg:overflow-visible lg:border-0 lg:px-0"
      >
        <ul className="flex gap-5 lg:sticky lg:top-6 lg:flex-col lg:gap-0.5">
          {items.map((item) => (
            <li key={item.href} className="flex-none">
              <NavLink
                href={item.href}
                exact={item.exact}
                className="-mb-px flex items-center gap-2 border-b-2 border-transparent py-2.5 text-sm text-ink-soft hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink lg:mb-0 lg:rounded-control lg:border-0 lg:px-2.5 lg:py-1.5 lg:hover:bg-accent-wash lg:aria-[current=page]:bg-accent-wash [&_svg]:size-4 [&_svg]:flex-none"
              >
                {item.icon}
                {item.label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0">{children}</div>
    </div>
  );
}
