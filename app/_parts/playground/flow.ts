/**
 * The tab's session storage keeps the playground's request until the hosted callback returns. The
 * request is consumed once, and the token stays in memory.
 */

const pendingKey = "adjutant-playground-pending";
const answerKey = "adjutant-playground-answer";

/** The verifier stays in the browser until the exchange (RFC 7636 section 4.5). */
export interface PendingFlow {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scope: string;
  readonly state: string;
  readonly verifier: string;
  readonly authorizeUrl: string;
  /** The page to return to: path, query and fragment. */
  readonly page: string;
}

export interface FlowAnswer {
  readonly code?: string;
  readonly state?: string;
  readonly iss?: string;
  readonly error?: string;
  readonly errorDescription?: string;
}

export const savePending = (flow: PendingFlow): void =>
  sessionStorage.setItem(pendingKey, JSON.stringify(flow));

/** Undefined if no page of this tab waits for the answer. */
export function pageAwaiting(answer: FlowAnswer, clientId: string): string | undefined {
  const pending = read<PendingFlow>(pendingKey);
  const isAwaited =
    pending !== undefined && pending.clientId === clientId && pending.state === answer.state;
  return isAwaited && /^\/(?!\/)/.test(pending.page) ? pending.page : undefined;
}

export const hasAnswerFor = (page: string): boolean =>
  read<FlowAnswer>(answerKey) !== undefined && read<PendingFlow>(pendingKey)?.page === page;

export const saveAnswer = (answer: FlowAnswer): void =>
  sessionStorage.setItem(answerKey, JSON.stringify(answer));

export interface AnsweredFlow {
  readonly pending: PendingFlow;
  readonly answer: FlowAnswer;
}

/** Consumes request and answer; undefined unless both exist. */
export function takeFlow(): AnsweredFlow | undefined {
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
    // Storage is disabled or holds foreign data.
    return undefined;
  }
}

/** Kept in the page's memory only. */
export interface PlaygroundToken {
  readonly accessToken: string;
  readonly scope: string;
  readonly expiresAt: number;
  readonly clientId: string;
  /** The token endpoint's reply, with a shortened token. */
  readonly shown: string;
}

export interface Connection extends AnsweredFlow {
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

/** Per tab, shared across soft navigations; lost on reload. Never set on the server. */
export const tabConnectionStore = createHolder<Connection>();
