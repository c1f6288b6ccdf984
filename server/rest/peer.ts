/** What a mount knows of the other end of the connection beyond the request itself. */
export interface Peer {
  /** The socket's address, or what a trusted proxy said; null where the mount cannot know it (one bucket for all). */
  readonly address: string | null;
  /** The body of a GET, which a web-standard Request cannot carry. */
  readonly body?: Buffer;
  /** The mount refused to read the body of a GET because it was too large. */
  readonly oversized?: boolean;
  /** A trusted proxy said that the caller came over plain http although the service is https. */
  readonly insecure?: boolean;
}
