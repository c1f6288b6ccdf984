/** What a coloured part means. Never said by colour alone: words or an icon stand beside it. */
export type Tone = "neutral" | "accent" | "good" | "warn" | "bad";

export const toneText: Record<Tone, string> = {
  neutral: "text-ink-soft",
  accent: "text-accent-text",
  good: "text-good",
  warn: "text-warn",
  bad: "text-bad",
};

export const toneWash: Record<Tone, string> = {
  neutral: "bg-sunken",
  accent: "bg-accent-wash",
  good: "bg-good-wash",
  warn: "bg-warn-wash",
  bad: "bg-bad-wash",
};

export const toneLine: Record<Tone, string> = {
  neutral: "border-line",
  accent: "border-accent-text/25",
  good: "border-good-line",
  warn: "border-warn-line",
  bad: "border-bad-line",
};
