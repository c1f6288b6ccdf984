const brand = Symbol.for("adjutant.reply");

/** What an answer says beside its record. */
export interface ReplyNotes {
  /** Until when the record is good; shortens what the endpoint's `cache` allows. */
  readonly freshUntil?: Date;
  /** Query parameters of the next page, set over those of this call; sent as `Link: …; rel="next"`. */
  readonly next?: Readonly<Record<string, string | number>>;
}

/** A record with notes. An endpoint without any returns the bare record. */
export interface Reply<Returned> {
  readonly record: Returned;
  readonly notes: ReplyNotes;
}

/** Wraps a record that has something to say beside itself. */
export const reply = <Returned>(record: Returned, notes: ReplyNotes): Reply<Returned> =>
  Object.assign({ record, notes }, { [brand]: true });

export const isReply = (value: unknown): value is Reply<unknown> =>
  typeof value === "object" && value !== null && brand in value;
