export type Language = "shell" | "typescript" | "python" | "go" | "json" | "http" | "text";

export type CodePart = { kind: "plain" | "comment" | "string" | "keyword" | "number"; text: string };

const strings = String.raw`"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'`;
const numbers = String.raw`\b\d[\d_]*(?:\.\d+)?\b`;
const words = (list: string) => String.raw`(?<![\w.$-])(?:${list.split(" ").join("|")})(?![\w-])`;

/** In each language: comments, strings, keywords, numbers; the first that matches at a place wins. */
const grammars: Record<Exclude<Language, "text">, readonly [string, string, string, string]> = {
  shell: [
    String.raw`(?<![^\s])#.*`,
    strings,
    words("curl export echo openssl open npm npx git"),
    String.raw`(?<![\w-])--?[A-Za-z][\w-]*`,
  ],
  typescript: [
    String.raw`//.*|/\*[\s\S]*?\*/`,
    `${strings}|\`(?:[^\`\\\\]|\\\\.)*\``,
    words("import from export const let await async function return new if else throw type for of null true false"),
    numbers,
  ],
  python: [
    "#.*",
    String.raw`"""[\s\S]*?"""|[rbf]?(?:${strings})`,
    words("import from as def return if else elif for in with raise class None True False await async not and or"),
    numbers,
  ],
  go: [
    "//.*",
    `${strings}|\`[^\`]*\``,
    words("package import func return if else for range var type struct go defer nil true false"),
    numbers,
  ],
  json: ["(?!)", strings, words("true false null"), String.raw`-?\b\d+(?:\.\d+)?\b`],
  http: ["(?!)", strings, String.raw`^(?:GET|POST|PUT|PATCH|DELETE)\b|^HTTP/[\d.]+|^[A-Za-z-]+(?=:)`, numbers],
};

const kinds = ["comment", "string", "keyword", "number"] as const;

/**
 * Cuts code into coloured parts. Joined again, the parts are the code, letter for letter. It colours; it does not
 * understand: what it does not know stays plain.
 */
export function highlight(code: string, language: Language): CodePart[] {
  if (language === "text") return [{ kind: "plain", text: code }];
  const pattern = new RegExp(grammars[language].map((source) => `(${source})`).join("|"), "gm");
  const parts: CodePart[] = [];
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    if (match.index > end) parts.push({ kind: "plain", text: code.slice(end, match.index) });
    const group = match.slice(1, 5).findIndex((text) => text !== undefined);
    parts.push({ kind: kinds[group] ?? "plain", text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < code.length) parts.push({ kind: "plain", text: code.slice(end) });
  return parts;
}
