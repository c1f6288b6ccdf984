export const entryKinds = [
  "application",
  "page",
  "request",
  "guide",
  "endpoint",
  "error",
  "event",
  "scope",
] as const;
export type EntryKind = (typeof entryKinds)[number];

/** A page or section. */
export interface SearchEntry {
  readonly kind: EntryKind;
  readonly title: string;
  readonly href: string;
  /** Searched too. */
  readonly text: string;
  /** Search words that are not shown. */
  readonly words?: string | undefined;
}

export const kindWords: Readonly<Record<EntryKind, string>> = {
  application: "Your application",
  page: "Page",
  request: "Doctor",
  guide: "Guide",
  endpoint: "Endpoint",
  error: "Error",
  event: "Event",
  scope: "Scope",
};

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
/** Also the parts of a name such as "UnknownUser". */
const namesOf = (title: string): string[] => [
  ...wordsOf(title),
  ...wordsOf(title.replace(/(?<=[a-z])(?=[A-Z])/g, " ")),
];

/** Rank of a match: title word, prefix, text word, substring. 0: none. */
function scoreOf(asked: string, entry: SearchEntry): number {
  const title = namesOf(entry.title);
  if (title.includes(asked)) return 8;
  if (title.some((word) => word.startsWith(asked))) return 5;
  const text = wordsOf(`${entry.text} ${entry.words ?? ""}`);
  if (text.includes(asked)) return 3;
  if (text.some((word) => word.startsWith(asked))) return 2;
  return `${entry.title} ${entry.text}`.toLowerCase().includes(asked) ? 1 : 0;
}

/** All words must match; best first, stable. */
export function rankEntries(entries: readonly SearchEntry[], question: string): SearchEntry[] {
  const asked = wordsOf(question);
  if (asked.length === 0) return [];
  const phrase = asked.join(" ");
  return [...requestEntries(question.trim()), ...findEntries(entries, asked, phrase)];
}

/** A request id is looked up by the doctor. */
const requestEntries = (question: string): SearchEntry[] =>
  /^[A-Za-z0-9_-]{22}$/.test(question)
    ? [
        {
          kind: "request",
          title: `Request ${question}`,
          href: `/developers/doctor?ask=${question}`,
          text: "Why a call of your application failed",
        },
      ]
    : [];

function findEntries(
  entries: readonly SearchEntry[],
  asked: readonly string[],
  phrase: string,
): SearchEntry[] {
  return entries
    .map((entry) => {
      const scores = asked.map((word) => scoreOf(word, entry));
      const isWhole = wordsOf(entry.title).join(" ").startsWith(phrase);
      return {
        entry,
        score: scores.includes(0) ? 0 : scores.reduce((sum, each) => sum + each, isWhole ? 4 : 0),
      };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ entry }) => entry);
}
