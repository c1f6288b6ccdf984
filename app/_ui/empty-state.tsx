import type { ReactNode } from "react";

type Props = { icon?: ReactNode; title: ReactNode; children?: ReactNode; action?: ReactNode };

/** Nothing is here yet: says why, and what to do next. */
export function EmptyState({ icon, title, children, action }: Props) {
  return (
    <div className="flex flex-col items-center px-4 py-10 text-center sm:py-14">
      {icon && <div className="mb-3 text-ink-faint [&_svg]:size-7 [&_svg]:stroke-[1.5]">{icon}</div>}
      <p className="font-medium">{title}</p>
      {children && <div className="mt-1 max-w-96 text-sm text-ink-soft">{children}</div>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}
