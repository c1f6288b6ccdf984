import type { ReactNode } from "react";
import { formatCount } from "#app/_lib/format";
import { Time } from "#app/_ui/time.tsx";
import { formatAmount } from "#server/faction/banking/amount";
import type { FactionPreview } from "#server/faction/preview-own-faction";
import type { CappedCount } from "#server/platform/paging";
import type { ScopeName } from "#server/scopes";
import type { PlayerCard } from "#server/users/find-players";
import type { OwnKey } from "#server/users/keys/own-keys";

const keyMissing = "no member has added a key that can read them.";

/** The reader's own faction. */
function AttacksPreview({ attacks: { hasKey, open, readAt } }: Pick<FactionPreview, "attacks">) {
  if (!hasKey && open.count === 0)
    return <Nothing>Attacks are not being read: {keyMissing}</Nothing>;
  if (readAt === null)
    return <Nothing>Not read yet. The first attacks are read within a minute.</Nothing>;
  return (
    <Line what={`${inWords(open, "open retaliation")} now`} beside={<LastRead at={readAt} />} />
  );
}

const states = { pending: "waiting", fulfilled: "paid", cancelled: "cancelled" } as const;

function BankingPreview({ banking: { link, pending, last } }: Pick<FactionPreview, "banking">) {
  if (link !== "ready" && last === null)
    return (
      <Nothing>
        Requests are not set up: your faction has linked no chat server with a channel for them.
      </Nothing>
    );
  if (last === null) return <Nothing>No vault requests yet.</Nothing>;
  return (
    <Line
      what={`${inWords(pending, "request")} waiting`}
      beside={
        <>
          Newest: {formatAmount(last.amount, last.currency)}, {states[last.status]},{" "}
          <Time at={last.requestedAt} />
        </>
      }
    />
  );
}

/** Members that delayed the own faction's crimes. */
function CrimesPreview({
  crimes: { hasKey, delays, newest, readAt },
}: Pick<FactionPreview, "crimes">) {
  if (!hasKey && newest === null) return <Nothing>OCs are not being read: {keyMissing}</Nothing>;
  if (readAt === null && newest === null)
    return <Nothing>Not read yet. OCs are read within five minutes.</Nothing>;
  return (
    <Line
      what={`${inWords(delays, "delay")} of OCs`}
      beside={
        newest ? (
          <>
            Newest: {newest.position}, {newest.reason}, seen <Time at={newest.seenAt} />
          </>
        ) : (
          readAt && <LastRead at={readAt} />
        )
      }
    />
  );
}

const LastRead = ({ at }: { at: Date }) => (
  <>
    Last read <Time at={at} />
  </>
);

const Apart = ({ children }: { children: ReactNode }) => (
  <span className="flex flex-wrap justify-between gap-x-4 gap-y-0.5">{children}</span>
);

const Line = ({ what, beside }: { what: ReactNode; beside: ReactNode }) => (
  <Apart>
    <span className="tabular">{what}</span>
    <span className="tabular text-ink-soft">{beside}</span>
  </Apart>
);

const Nothing = ({ children }: { children: ReactNode }) => (
  <span className="text-ink-faint">{children}</span>
);

function inWords({ count, more }: CappedCount, what: string): string {
  if (count === 0) return `No ${what}s`;
  return `${more ? "More than " : ""}${formatCount(count, what)}`;
}

const noFaction = <Nothing>You are in no faction. It opens nothing until you join one.</Nothing>;
const ofNoFaction: Partial<Record<ScopeName, ReactNode>> = {
  faction: noFaction,
  "faction:attacks": noFaction,
  "faction:banking": noFaction,
  "faction:crimes": noFaction,
};

type ScopePreviewsProps = {
  player: PlayerCard;
  gameKeys: readonly Pick<OwnKey, "lastFour" | "type" | "state" | "lastOkAt">[];
  /** Null without a faction, or if no scope needs one. */
  faction: FactionPreview | null;
};

/** Stored data only; the game is not called. */
export function scopePreviews({
  player,
  gameKeys,
  faction,
}: ScopePreviewsProps): Partial<Record<ScopeName, ReactNode>> {
  const key = gameKeys.find(({ state }) => state === "active");
  return {
    ...(!faction && ofNoFaction),
    ...(!key && {
      "service_key:usage": (
        <Nothing>You have no working key here. It does nothing until you sign in with one.</Nothing>
      ),
    }),
    identity: (
      <Apart>
        <span className="font-medium">
          {player.name} <span className="tabular font-normal">[{player.id}]</span>
        </span>
        <span className="text-ink-soft">
          {player.factionId === null ? (
            "No faction"
          ) : (
            <>
              {player.factionName} <span className="tabular">[{player.factionId}]</span>
            </>
          )}
        </span>
        <span className="text-ink-soft">
          {player.chatId === null ? "No chat account linked" : `Chat account ${player.chatId}`}
        </span>
        {player.lastAction && (
          <span className="text-ink-soft">
            Last active <Time at={player.lastAction} />
          </span>
        )}
      </Apart>
    ),
    ...(faction && {
      faction: (
        <span className="grid gap-1.5">
          <Apart>
            <span className="font-medium">{faction.factionName}</span>
            {faction.positionName && (
              <span className="text-ink-soft">Your position: {faction.positionName}</span>
            )}
          </Apart>
          <AttacksPreview {...faction} />
          <BankingPreview {...faction} />
          <CrimesPreview {...faction} />
        </span>
      ),
      "faction:attacks": <AttacksPreview {...faction} />,
      "faction:banking": <BankingPreview {...faction} />,
      "faction:crimes": <CrimesPreview {...faction} />,
    }),
    ...(key && {
      "service_key:usage": (
        <Apart>
          <span>
            <span className="font-mono">
              <span className="sr-only">Your key that ends in </span>
              <span aria-hidden="true">••••</span>
              {key.lastFour}
            </span>{" "}
            · {key.type}
          </span>
          <span className="text-ink-soft">
            {key.lastOkAt ? (
              <>
                Last worked <Time at={key.lastOkAt} />
              </>
            ) : (
              "Not used yet"
            )}
          </span>
        </Apart>
      ),
    }),
  };
}
