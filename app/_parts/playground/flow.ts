/**
 * An authorization that a page of ours asks for, to try calls there: it leaves the page and comes back through the hosted
 * callback. Until then this tab's session storage keeps the request, which is taken out once; the token stays in memory.
 */

const pendingKey = "adjutant-playground-pending";
const answerKey = "adjutant-playground-answer";

/** A request under way. The verifier never leaves the browser before the exchange (RFC 7636 section 4.5). */
export interface PendingFlow {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scope: string;
  readonly state: string;
  readonly verifier: string;
  /** The full address that the browser was sent to. */
  readonly authorizeUrl: string;
  /** The page that asked, where the answer is taken: its path, and the query and the place on it. */
  readonly page: string;
}

/** The response at the hosted callback. */
export interface FlowAnswer {
  readonly code?: string;
  readonly state?: string;
  readonly iss?: string;
  readonly error?: string;
  readonly errorDescription?: string;
}

export const savePending = (flow: PendingFlow): void =>
  sessionStorage.setItem(pendingKey, JSON.stringify(flow));

/** The page of this tab that waits for this answer; undefined where none does. */
export function pageAwaiting(answer: FlowAnswer, clientId: string): string | undefined {
  const pending = read<PendingFlow>(pendingKey);
  const isAwaited =
    pending !== undefined && pending.clientId === clientId && pending.state === answer.state;
  return isAwaited && /^\/(?!\/)/.test(pending.page) ? pending.page : undefined;
}

/** Whether an answer waits to be taken on this page. */
export const hasAnswerFor = (page: string): boolean =>
  read<FlowAnswer>(answerKey) !== undefined && read<PendingFlow>(pendingKey)?.page === page;

export const saveAnswer = (answer: FlowAnswer): void =>
  sessionStorage.setItem(answerKey, JSON.stringify(answer));

/** A request and its response. */
export interface Flow {
  readonly pending: PendingFlow;
  readonly answer: FlowAnswer;
}

/** The request with its answer; undefined unless both are there. A second call finds neither. */
export function takeFlow(): Flow | undefined {
  const pending = read<PendingFlow>(pendingKey);
  const answer = read<FlowAnswer>(answerKey);
  if (!pending || !answer) return undefined;
  sessionStorage.removeItem(pendingKey);
  sessionStorage.removeItem(answerKey);
  return { pending, answer };
}

function read<Kept>(key: string): Kept | undefined {
  try {
    const text = sessionStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as Kept);
  } catch {
    // Storage is switched off, or holds something that is not ours.
    return undefined;
  }
}

/** A live access token, and the reply that brought it. It is kept in the page's memory alone. */
export interface PlaygroundToken {
  readonly accessToken: string;
  readonly scope: string;
  readonly expiresAt: number;
  readonly clientId: string;
  /** The reply as it came, the token shortened. */
  readonly shown: string;
}

/** A live token, and the request and answer that led to it. */
export interface Connection extends Flow {
  readonly token: PlaygroundToken;
}

function createHolder<Held>() {
  let current: Held | undefined;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(held: Held | undefined): void {
      current = held;
      for (const changed of listeners) changed();
    },
    subscribe(changed: () => void): () => void {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

/**
 * Kept in the tab's memory alone: pages that one goes to by links share it, a reload forgets it.
 * The server never sets it.
 */
export const connectionOfTab = createHolder<Connection>();
