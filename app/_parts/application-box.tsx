import { BadgeCheck } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Emblem } from "./emblem";

type Props = {
  application: ComponentProps<typeof Emblem>["of"] & { name: string; verified: boolean };
  href: string;
  /** `name` and `value` are those of the checkbox. */
  name: string;
  value: string;
  badges?: ReactNode;
  children?: ReactNode;
};

export const ApplicationCheckbox = ({
  application,
  href,
  name,
  value,
  badges,
  children,
}: Props) => (
  <span className="flex min-h-12 min-w-0 items-center gap-3">
    <input
      type="checkbox"
      name={name}
      value={value}
      aria-label={`Select ${application.name}`}
      className="size-4 flex-none accent-accent"
    />
    <Emblem of={application} />
    <span className="min-w-0">
      <span className="flex flex-wrap items-center gap-x-2">
        <TextLink href={href} className="font-medium">
          <bdi>{application.name}</bdi>
        </TextLink>
        {application.verified && (
          <BadgeCheck className="size-4 flex-none text-good" aria-label="Verified" />
        )}
        {badges}
      </span>
      {children}
    </span>
  </span>
);
