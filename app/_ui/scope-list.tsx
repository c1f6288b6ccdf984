import { ChevronDown, Lock } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names";

type ScopeItem = {
  /** The scope's name in the protocol. */
  name: string;
  icon: ReactNode;
  title: ReactNode;
  body?: ReactNode;
  events?: readonly string[];
  /** The reader's stored data; a phone shows one line and folds the rest. */
  preview?: ReactNode;
  /** Absent: listed only. "fixed": required. "optional": a checkbox. */
  choice?: "fixed" | "optional";
  defaultChecked?: boolean;
};

type Props = {
  items: readonly ScopeItem[];
  /** Id of a form elsewhere on the page. */
  form?: string;
};

export function ScopeList({ items, form }: Props) {
  return (
    <ul className="divide-y divide-line">
      {items.map((item) => (
        <li
          key={item.name}
          data-folds
          className={classNames(
            "relative grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-2 sm:gap-x-3.5 sm:py-4 sm:first:pt-0 sm:last:pb-0",
            item.preview ? "py-0.75" : "py-2.5 first:pt-0 last:pb-0",
          )}
        >
          <span
            className="grid place-items-center rounded-control text-accent-text max-sm:h-6 sm:row-span-3 sm:size-9 sm:self-start sm:bg-accent-wash [&_svg]:size-4.5"
            aria-hidden="true"
          >
            {item.icon}
          </span>
          {item.choice === "optional" ? (
            <label htmlFor={`scope-${item.name}`} className="block min-w-0 font-medium">
              {item.title}
            </label>
          ) : (
            <p className="min-w-0 font-medium">{item.title}</p>
          )}
          <div className={classNames("pt-0.5", item.preview ? "max-sm:mr-8.5" : undefined)}>
            <Choice item={item} form={form} />
          </div>
          {item.preview && (
            <div
              data-folded="line"
              className="text-sm max-sm:col-span-3 sm:col-start-2 sm:my-2 sm:rounded-control sm:border sm:border-line sm:bg-sunken sm:px-3 sm:py-2"
            >
              {item.preview}
            </div>
          )}
          <div className="max-sm:col-span-3 sm:col-start-2">
            {item.preview ? (
              <FoldOnPhone label="What it allows" className="max-sm:top-0 max-sm:-right-3.5">
                <Explanation item={item} />
              </FoldOnPhone>
            ) : (
              <div className="text-sm text-ink-soft">
                <Explanation item={item} />
              </div>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

type ChoiceProps = { item: ScopeItem; form: string | undefined };

function Choice({ item: { name, choice, defaultChecked = true }, form }: ChoiceProps) {
  if (choice === "optional")
    return (
      <input
        type="checkbox"
        id={`scope-${name}`}
        name="scope"
        form={form}
        value={name}
        defaultChecked={defaultChecked}
        className="size-4.5 accent-accent max-sm:-mt-0.5 max-sm:size-6"
      />
    );
  if (choice === "fixed")
    return (
      <>
        <input type="hidden" name="scope" form={form} value={name} />
        <Lock className="size-4 text-ink-faint" aria-label="Required by the application" />
      </>
    );
}

function Explanation({ item: { name, body, events = [] } }: { item: ScopeItem }) {
  return (
    <>
      {body}
      {events.length > 0 && (
        <details className="mt-0.5">
          <summary className="w-fit text-accent-text underline underline-offset-2">
            Events it receives
          </summary>
          {events.join(", ")}
        </details>
      )}
      <code className="block font-mono text-xs text-ink-faint">{name}</code>
    </>
  );
}

type FoldOnPhoneProps = {
  label: string;
  /** Position of the mark in its positioned parent. */
  className: string;
  children: ReactNode;
};

/**
 * While folded on a phone, `data-folded` parts inside a parent with `data-folds` are shortened or
 * hidden.
 */
export function FoldOnPhone({ label, className, children }: FoldOnPhoneProps) {
  return (
    <details data-open-where-wide className="group text-sm text-ink-soft">
      <summary
        className={classNames(
          "w-fit text-accent-text underline underline-offset-2",
          "max-sm:absolute max-sm:grid max-sm:h-8 max-sm:w-11 max-sm:place-items-center",
          className,
        )}
      >
        <span className="max-sm:sr-only">{label}</span>
        <ChevronDown className="size-4 group-open:rotate-180 sm:hidden" />
      </summary>
      {children}
    </details>
  );
}
