/** Kinds of calls in a stack, from below. */
export const stackKinds = [
  { name: "OK", fill: "fill-accent", mark: "bg-accent" },
  { name: "4xx", fill: "fill-brass", mark: "bg-brass" },
  { name: "429", fill: "fill-ink-faint", mark: "bg-ink-faint" },
  { name: "5xx", fill: "fill-bad", mark: "bg-bad" },
] as const;
