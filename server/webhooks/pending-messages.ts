import type { Message } from "./messages";

/** A message under way. */
export interface InFlight {
  readonly message: Message;
  readonly stop: AbortController;
  /** Set where it was stopped because the application may not be told any more. */
  withdrawn: boolean;
}

/** The messages of an endpoint that a worker holds: those to be sent, in order, and those under way. */
export interface PendingMessages {
  next(): Message | undefined;
  /** Whether a message for the same player is under way: each player's are sent one at a time, and what concerns nobody in particular need not wait. */
  isBusy(message: Message): boolean;
  add(messages: readonly Message[]): void;
  begin(message: Message): InFlight;
  /** Takes it from those under way; `again` puts it back to the front. */
  finish(inFlight: InFlight, again: boolean): void;
  /** Forgets what is to be sent and can be read again. */
  forget(): void;
  /** Drops these; messages that were added meanwhile stay. @returns the dropped ones */
  drop(messages: readonly Message[]): {
    readonly queued: readonly Message[];
    readonly underWay: readonly InFlight[];
  };
  all(): readonly Message[];
  underWay(): readonly InFlight[];
  /** Whether no event was sent to some of its players alone: who reads the log again from `position` repeats nothing then. */
  isBetweenEvents(): boolean;
  /** Up to this number of the log everything was read. */
  readTo(seq: number): void;
  reached(): number;
  /** Up to this number every message was dealt with, or waits in a row of its own. */
  position(): number;
  /** Whether it was dealt with already, although the position is before it. */
  isDone(message: Message): boolean;
}

export function createPendingMessages(start: number): PendingMessages {
  let queue: Message[] = [];
  const flying = new Map<string, InFlight>();
  const done = new Map<string, number>();
  let reached = start;
  let begunTo = start;
  const players = new Set<number | null>();
  const fromLog = () =>
    [...queue, ...[...flying.values()].map(({ message }) => message)].filter(
      ({ isStored }) => !isStored,
    );

  return {
    next: () => queue[0],
    isBusy: ({ playerId }) => playerId !== null && players.has(playerId),
    add: (messages) => {
      queue.push(...messages);
    },
    begin: (message) => {
      queue = queue.filter((other) => other !== message);
      const begun: InFlight = { message, stop: new AbortController(), withdrawn: false };
      flying.set(message.messageId, begun);
      players.add(message.playerId);
      if (!message.isStored) begunTo = Math.max(begunTo, message.seq);
      return begun;
    },
    finish: ({ message }, again) => {
      flying.delete(message.messageId);
      players.delete(message.playerId);
      if (again) queue.unshift(message);
      else if (!message.isStored) done.set(message.messageId, message.seq);
    },
    forget: () => {
      for (const { isStored, seq } of queue) if (!isStored) reached = Math.min(reached, seq - 1);
      queue = [];
    },
    drop: (messages) => {
      const ids = new Set(messages.map(({ messageId }) => messageId));
      const isOut = ({ messageId }: Message) => ids.has(messageId);
      const queued = queue.filter(isOut);
      queue = queue.filter((message) => !isOut(message));
      return { queued, underWay: [...flying.values()].filter(({ message }) => isOut(message)) };
    },
    all: () => [...queue, ...[...flying.values()].map(({ message }) => message)],
    underWay: () => [...flying.values()],
    isBetweenEvents: () => queue.every(({ isStored, seq }) => isStored || seq > begunTo),
    readTo: (seq) => {
      reached = Math.max(reached, seq);
    },
    reached: () => reached,
    position: () => {
      const position = fromLog().reduce((least, { seq }) => Math.min(least, seq - 1), reached);
      for (const [id, seq] of done) if (seq <= position) done.delete(id);
      return position;
    },
    isDone: ({ messageId }) => done.has(messageId),
  };
}
