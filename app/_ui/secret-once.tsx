import { KeyRound } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { CopyButton } from "./copy-button";

type Props = {
  title?: ReactNode;
  /** Says why the secret is shown once, and what a loss means. */
  note?: ReactNode;
  items?: readonly { label: string; value: string }[];
  /**
   * True if just created. The heading then takes the focus, because a live region would read the
   * secret aloud.
   */
  made?: boolean;
  children?: ReactNode;
};

const takeFocus = (heading: HTMLElement | null) => heading?.focus();

/** Use it only in answers that no cache keeps. */
export function SecretOnce({
  title = "Store this now. It is shown once.",
  note,
  items = [],
  made,
  children,
}: Props) {
  return (
    <section className="overflow-clip rounded-card border border-warn-line bg-surface">
      <div className="flex items-start gap-3 border-b border-warn-line bg-warn-wash px-4 py-3 sm:px-5">
        <KeyRound className="mt-0.75 size-4.5 flex-none text-warn" />
        <div>
          <h2
            ref={made ? takeFocus : undefined}
            tabIndex={made ? -1 : undefined}
            className="font-medium tracking-normal outline-none"
          >
            {title}
          </h2>
          {note && <div className="text-sm text-ink-soft">{note}</div>}
        </div>
      </div>
      <dl className="grid gap-4 px-4 py-4 empty:hidden sm:px-5">
        {items.map((item) => (
          <div key={item.label} className="min-w-0">
            <dt className="text-sm font-medium">{item.label}</dt>
            <dd className="mt-1 flex min-w-0 items-center gap-2 rounded-control border border-line bg-sunken py-1 pr-1.5 pl-3">
              <code className="min-w-0 flex-1 py-1 font-mono text-[0.8125rem] leading-5 wrap-anywhere select-all">
                {item.value}
              </code>
              <CopyButton text={item.value} what={`the ${item.label.toLowerCase()}`} />
            </dd>
          </div>
        ))}
      </dl>
      {children && (
        <div
          className={classNames("px-4 py-4 sm:px-5", items.length > 0 && "border-t border-line")}
        >
          {children}
        </div>
      )}
    </section>
  );
}
