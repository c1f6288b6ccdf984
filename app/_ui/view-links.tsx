import { TextLink } from "./text-link";

type Props = {
  label: string;
  views: readonly { label: string; href: string; current: boolean }[];
};

/** Links, so that a view can be shared. */
export const ViewLinks = ({ label, views }: Props) => (
  <nav aria-label={label} className="flex flex-wrap gap-1">
    {views.map((view) => (
      <TextLink
        key={view.label}
        href={view.href}
        plain
        aria-current={view.current ? "page" : undefined}
        className="rounded-control px-2.5 py-1 text-sm text-ink-soft hover:bg-accent-wash hover:text-ink aria-[current=page]:bg-accent-wash aria-[current=page]:font-medium aria-[current=page]:text-ink pointer-coarse:py-2.5"
      >
        {view.label}
      </TextLink>
    ))}
  </nav>
);
