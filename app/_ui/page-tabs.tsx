import { NavLink } from "./nav-link";

type Props = {
  label: string;
  items: readonly { href: string; label: string; exact?: boolean }[];
};

/** Tabs are links, so that each page has an address. */
export function PageTabs({ label, items }: Props) {
  return (
    <nav
      aria-label={label}
      className="scrolls-sideways -mx-4 shadow-[inset_0_-1px_0_var(--color-line)] px-4 sm:mx-0 sm:px-0"
    >
      <ul className="flex w-max gap-5">
        {items.map(({ href, label: name, exact }) => (
          <li key={href} className="flex-none">
            <NavLink
              href={href}
              exact={exact}
              className="block border-b-2 border-transparent py-2.5 text-sm text-ink-soft hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
            >
              {name}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
