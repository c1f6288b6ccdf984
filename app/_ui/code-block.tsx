import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { CopyButton } from "./copy-button";
import { Tabs } from "./tabs";

export type Language = "shell" | "typescript" | "python" | "go" | "json" | "http" | "text";

type Props = {
  code: string;
  language?: Language;
  /** File name, "Answer", or method and path; also the accessible name. */
  title?: ReactNode;
  /** Accessible name without a visible title. */
  label?: string;
  /** Without a frame, for use inside tabs and cards. */
  bare?: boolean;
  wrap?: boolean;
  /** Copied instead of the shown code, which shortens a secret. */
  copied?: string;
};

const colours: Record<CodePart["kind"], string | undefined> = {
  plain: undefined,
  comment: "text-code-comment",
  string: "text-code-string",
  keyword: "text-code-keyword",
  number: "text-code-number",
};

/** Highlighted on the server; only the copy button needs script. */
export function CodeBlock({
  code,
  language = "text",
  title,
  label = "Code",
  bare = false,
  wrap = false,
  copied,
}: Props) {
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
      {/* A scrollable region must be focusable for keyboard users. */}
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
        text={copied ?? text}
        what="the code"
        className={classNames("absolute right-1.5 bg-sunken", title ? "top-1.5" : "top-2")}
      />
    </div>
  );
}

type CodePart = { kind: "plain" | "comment" | "string" | "keyword" | "number"; text: string };

const strings = String.raw`"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'`;
const numbers = String.raw`\b\d[\d_]*(?:\.\d+)?\b`;
const keywords = (list: string) =>
  String.raw`(?<![\w.$-])(?:${list.split(" ").join("|")})(?![\w-])`;

/** Patterns for comments, strings, keywords and numbers; the first match at a position wins. */
const grammars: Record<Exclude<Language, "text">, readonly [string, string, string, string]> = {
  shell: [
    String.raw`(?<![^\s])#.*`,
    strings,
    keywords("curl export echo openssl open npm npx git"),
    String.raw`(?<![\w-])--?[A-Za-z][\w-]*`,
  ],
  typescript: [
    String.raw`//.*|/\*[\s\S]*?\*/`,
    `${strings}|\`(?:[^\`\\\\]|\\\\.)*\``,
    keywords(
      "import from export const let await async function return new if else throw type for of null true false",
    ),
    numbers,
  ],
  python: [
    "#.*",
    String.raw`"""[\s\S]*?"""|[rbf]?(?:${strings})`,
    keywords(
      "import from as def return if else elif for in with raise class None True False await async not and or",
    ),
    numbers,
  ],
  go: [
    "//.*",
    `${strings}|\`[^\`]*\``,
    keywords(
      "package import func return if else for range var type struct go defer nil true false",
    ),
    numbers,
  ],
  json: ["(?!)", strings, keywords("true false null"), String.raw`-?\b\d+(?:\.\d+)?\b`],
  http: [
    "(?!)",
    strings,
    String.raw`^(?:GET|POST|PUT|PATCH|DELETE)\b|^HTTP/[\d.]+|^[A-Za-z-]+(?=:)`,
    numbers,
  ],
};

const partKinds = ["comment", "string", "keyword", "number"] as const;

/** Joined, the parts equal the code. Text that no pattern matches stays plain. */
export function highlight(code: string, language: Language): CodePart[] {
  if (language === "text") return [{ kind: "plain", text: code }];
  const pattern = new RegExp(grammars[language].map((source) => `(${source})`).join("|"), "gm");
  const parts: CodePart[] = [];
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    if (match.index > end) parts.push({ kind: "plain", text: code.slice(end, match.index) });
    const group = match.slice(1, 5).findIndex((text) => text !== undefined);
    parts.push({ kind: partKinds[group] ?? "plain", text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < code.length) parts.push({ kind: "plain", text: code.slice(end) });
  return parts;
}

type CodeTabsProps = {
  label: string;
  samples: readonly { label: string; code: string; language: Language }[];
};

export function CodeTabs({ label, samples }: CodeTabsProps) {
  return (
    <div className="min-w-0 overflow-clip rounded-card border border-line bg-sunken">
      <Tabs
        label={label}
        tabs={samples.map((sample) => ({
          // An id must not contain spaces.
          id: sample.label.toLowerCase().replaceAll(" ", "-"),
          label: sample.label,
          content: (
            <CodeBlock
              bare
              code={sample.code}
              language={sample.language}
              label={`${label}: ${sample.label}`}
            />
          ),
        }))}
      />
    </div>
  );
}
