import { type CallOutcome, type CallRange, callOutcomes, callRanges } from "#server/oauth/clients/calls/logged-call";

/** The form's fields, as they stand in the address. */
export const callFields = ["outcome", "endpoint", "player", "range", "until"] as const;
type Fields = Readonly<Record<(typeof callFields)[number], string>>;

const longest = 100;
const defaults: Partial<Fields> = { outcome: "all", range: "30d" };

interface CallQuery {
  readonly filter: {
    readonly outcome: CallOutcome;
    readonly endpoint: string | null;
    readonly player: string | null;
    readonly range: CallRange;
    readonly until: Date | null;
    readonly after: string | null;
  };
  readonly fields: Fields;
  /** The page with its filters, but at its newest call. */
  readonly address: string;
  readonly isFiltered: boolean;
}

/** Reads which calls an address asks for. What is none of the choices counts as absent. */
export function readCallQuery(page: string, sent: Readonly<Record<string, string | string[] | undefined>>): CallQuery {
  const read = (name: string) => {
    const value = sent[name];
    return typeof value === "string" ? value.trim().slice(0, longest) : "";
  };
  const outcome = callOutcomes.find((known) => known === read("outcome")) ?? "all";
  const range = callRanges.find((known) => known === read("range")) ?? "30d";
  const until = readUtc(read("until"));
  const [endpoint, player] = [read("endpoint"), read("player")];
  const fields: Fields = { outcome, endpoint, player, range, until: until ? read("until") : "" };
  const chosen = callFields.filter((name) => fields[name] !== "" && fields[name] !== defaults[name]);
  const query = new URLSearchParams(chosen.map((name) => [name, fields[name]]));
  return {
    filter: { outcome, range, until, endpoint: endpoint || null, player: player || null, after: read("after") || null },
    fields,
    address: chosen.length === 0 ? page : `${page}?${query}`,
    isFiltered: chosen.length > 0,
  };
}

/** A local time of a form's field, which means UTC; to the end of its minute. */
function readUtc(text: string): Date | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return null;
  const at = new Date(`${text}:59.999Z`);
  return Number.isNaN(at.getTime()) ? null : at;
}
