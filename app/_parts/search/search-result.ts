export const searchResultKinds = {
  application: "Your application",
  page: "Page",
  request: "Doctor",
  guide: "Guide",
  change: "Changelog",
  endpoint: "Endpoint",
  error: "Error",
  event: "Event",
} as const;

export interface SearchResult {
  readonly kind: keyof typeof searchResultKinds;
  readonly title: string;
  readonly href: string;
  /** The passage with the words of the question. */
  readonly text: string;
}
