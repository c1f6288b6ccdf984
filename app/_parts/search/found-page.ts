export const foundKinds = {
  application: "Your application",
  page: "Page",
  request: "Doctor",
  guide: "Guide",
  change: "Changelog",
  endpoint: "Endpoint",
  error: "Error",
  event: "Event",
} as const;

export interface FoundPage {
  readonly kind: keyof typeof foundKinds;
  readonly title: string;
  readonly href: string;
  /** The passage with the words of the question. */
  readonly text: string;
}
