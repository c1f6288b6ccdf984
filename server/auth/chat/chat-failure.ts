const brand = Symbol.for("adjutant.chat-failure");

/** The chat's provider did not say whose account it is. Its message is for the log: a step and what was wrong, nothing quoted. */
export interface ChatFailure extends Error {
  readonly step: "token" | "user";
}

export const chatFailure = (step: ChatFailure["step"], problem: string): ChatFailure =>
  Object.assign(new Error(`${step}: ${problem}`), { name: "ChatFailure", [brand]: true, step });

/** Told apart by brand: two copies of this module live in one process. */
export const isChatFailure = (thrown: unknown): thrown is ChatFailure =>
  typeof thrown === "object" && thrown !== null && brand in thrown;
