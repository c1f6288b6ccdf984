import { Logo } from "./logo";
import { TextLink } from "./text-link";

type Props = { groups: readonly { title: string; links: readonly { href: string; label: string }[] }[]; note?: string };

/** The foot of every page. */
export function Footer({ groups, note }: Props) {
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex max-w-page flex-wrap justify-between gap-x-16 gap-y-8 px-4 py-10 text-sm sm:px-6">
        <div className="max-w-72 text-ink-faint">
          <Logo className="text-ink" />
          {note && <p className="mt-3">{note}</p>}
        </div>
        <div className="flex flex-wrap gap-x-16 gap-y-8">
          {groups.map((group) => (
            <nav key={group.title} aria-label={group.title}>
              <h2 className="font-medium tracking-normal">{group.title}</h2>
              <ul className="mt-2 grid gap-1.5">
                {group.links.map((link) => (
                  <li key={link.href}>
                    <TextLink
                      href={link.href}
                      plain
                      className="rounded-tag text-ink-soft hover:text-ink hover:underline"
                    >
                      {link.label}
                    </TextLink>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
      </div>
    </footer>
  );
}
