/** How far players came with an application, each counted once; whoever is in a step was in all before it. */
export interface Funnel {
  /** Saw the consent page. */
  readonly shown: number;
  readonly approved: number;
  /** The application exchanged the code for tokens. */
  readonly exchanged: number;
  /** The application called the API in their name. */
  readonly called: number;
}
