import { Lock } from "lucide-react";
import type { ReactNode } from "react";

export type ScopeItem = {
  /** The name on the wire. */
  name: string;
  icon: ReactNode;
  /** What it opens, in words: "See who you are". */
  title: ReactNode;
  body?: ReactNode;
  /** Which events come with it. They unfold. */
  details?: ReactNode;
  /** What it would open of the reader's own, as it is stored now. On a phone the rest unfolds below it. */
  preview?: ReactNode;
  /** Absent: only listed. "fixed": asked for and not to be unticked. "optional": a box to untick. */
  choice?: "fixed" | "optional";
  defaultChecked?: boolean;
};

type Props = {
  items: readonly ScopeItem[];
  /** The form field that carries the names of the ticked ones. */
  field?: string;
  /** The id of the form that the boxes belong to, where that stands elsewhere on the page. */
  form?: string;
};

/** What an application may do, one entry for each permission, with what that would show right now. */
export function ScopeList({ items, field = "scope", form }: Props) {
  return (
    <ul className="divide-y divide-line">
      {items.map((item) => (
        <li
          key={item.name}
          className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3.5 py-2.5 first:pt-0 last:pb-0 sm:py-4"
        >
          <span
            className="grid size-9 place-items-center rounded-control bg-accent-wash text-accent-text [&_svg]:size-4.5"
            aria-hidden="true"
          >
            {item.icon}
          </span>
          <div className="min-w-0">
            {item.choice === "optional" ? (
              <label htmlFor={`${field}-${item.name}`} className="block font-medium">
                {item.title}
              </label>
            ) : (
              <p className="font-medium">{item.title}</p>
            )}
            {item.preview && (
              <div className="text-sm sm:my-2 sm:rounded-control sm:border sm:border-line sm:bg-sunken sm:px-3 sm:py-2">
                {item.preview}
              </div>
            )}
            {item.preview ? (
              <details data-open-where-wide className="text-sm text-ink-soft">
                <summary className={unfold}>What it allows</summary>
                <Explanation item={item} />
              </details>
            ) : (
              <div className="text-sm text-ink-soft">
                <Explanation item={item} />
              </div>
            )}
          </div>
          <div className="pt-0.5">
            {item.choice === "optional" && (
              <input
                type="checkbox"
                id={`${field}-${item.name}`}
                name={field}
                form={form}
                value={item.name}
                defaultChecked={item.defaultChecked ?? true}
                className="size-4.5 accent-accent"
              />
            )}
            {item.choice === "fixed" && (
              <>
                <input type="hidden" name={field} form={form} value={item.name} />
                <Lock className="size-4 text-ink-faint" aria-label="Required by the application" />
              </>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

const unfold = "w-fit text-accent-text underline underline-offset-2";

function Explanation({ item: { name, body, details } }: { item: ScopeItem }) {
  return (
    <>
      {body}
      {details && (
        <details className="mt-0.5">
          <summary className={unfold}>What it is notified of</summary>
          {details}
        </details>
      )}
      <code className="block font-mono text-xs text-ink-faint">{name}</code>
    </>
  );
}
