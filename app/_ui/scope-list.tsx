import { Lock } from "lucide-react";
import type { ReactNode } from "react";

export type ScopeItem = {
  /** The name on the wire. */
  name: string;
  icon: ReactNode;
  /** What it opens, in words: "See who you are". */
  title: ReactNode;
  body?: ReactNode;
  /** Unfolds below, together with the name on the wire. */
  details?: ReactNode;
  /** What it would open of the reader's own, as it is stored now. */
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
        <li key={item.name} className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3.5 py-4 first:pt-0 last:pb-0">
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
            {item.body && <div className="text-sm text-ink-soft">{item.body}</div>}
            {item.details ? (
              <details className="mt-0.5 text-sm text-ink-soft">
                <summary className="w-fit text-accent-text underline underline-offset-2">More</summary>
                <div className="mt-1">{item.details}</div>
                <code className="font-mono text-xs text-ink-faint">{item.name}</code>
              </details>
            ) : (
              <code className="font-mono text-xs text-ink-faint">{item.name}</code>
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
          {item.preview && (
            <div className="col-span-full mt-2.5 rounded-control border border-line bg-sunken px-3 py-2 text-sm sm:col-start-2 sm:col-end-4">
              {item.preview}
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
