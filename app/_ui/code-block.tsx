import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { CopyButton } from "./copy-button";
import { type CodePart, highlight, type Language } from "./highlight";

type Props = {
  code: string;
  language?: Language;
  /** Above the code: a file's name, "Answer", a method and path. Also its name for assistive technology. */
  title?: ReactNode;
  /** Its name where it has no visible title. */
  label?: string;
  /** No frame of its own: inside CodeTabs or a card. */
  bare?: boolean;
  /** Break long lines instead of scrolling. */
  wrap?: boolean;
};

const colours: Record<CodePart["kind"], string | undefined> = {
  plain: undefined,
  comment: "text-code-comment",
  string: "text-code-string",
  keyword: "text-code-keyword",
  number: "text-code-number",
};

/** Code to read and to copy. Coloured on the server, so it brings no script but the copy button's. */
export function CodeBlock({ code, language = "text", title, label = "Code", bare = false, wrap = false }: Props) {
  const text = code.replace(/\n+$/, "");
  return (
    <div
      className={classNames(
        "group relative min-w-0",
        !bare && "overflow-clip rounded-card border border-line bg-sunken",
      )}
    >
      {title && (
        <div className="flex min-h-10 items-center border-b border-line py-1 pr-12 pl-4 font-mono text-xs text-ink-soft">
          {title}
        </div>
      )}
      {/* A region that scrolls must take focus, or the keyboard cannot scroll it. */}
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above (axe: scrollable-region-focusable).
        tabIndex={0}
        aria-label={typeof title === "string" ? title : label}
        className="mr-11 overflow-x-auto py-3.5 pl-4 -outline-offset-2"
      >
        <pre
          className={classNames(
            "font-mono text-[0.8125rem] leading-5.5",
            wrap ? "whitespace-pre-wrap wrap-anywhere" : "w-max",
          )}
        >
          <code>
            {highlight(text, language).map((part, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text have no other name, and never move.
              <span key={index} className={colours[part.kind]}>
                {part.text}
              </span>
            ))}
          </code>
        </pre>
      </section>
      <CopyButton
        text={text}
        what="the code"
        className={classNames("absolute right-1.5 bg-sunken", title ? "top-1.5" : "top-2")}
      />
    </div>
  );
}
