import { Check, Crosshair, IdCard, KeyRound, Landmark, Layers, Shield } from "lucide-react";
import type { ReactNode } from "react";
import { formatCount } from "#app/_lib/format";
import { Badge } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { ScopeList } from "#app/_ui/scope-list.tsx";
import { Time } from "#app/_ui/time.tsx";
import { eventWordsOf } from "#server/event-types";
import { formatAmount } from "#server/faction/banking/vault-request";
import type { FactionPreview } from "#server/faction/preview-own-faction";
import type { ConsentView } from "#server/oauth/authorize/show-request";
import type { CappedCount } from "#server/platform/paging";
import { covers, type ScopeName, scopes } from "#server/scopes";
import type { OwnPlayerView } from "#server/users/find-players";
import type { GameKeyView } from "#server/users/keys/own-keys";

/** These scopes were allowed before, so they have no box. */
export function AllowedScopesCard({ view }: { view: ConsentView }) {
  const { allowed, asked, earlier, application } = view;
  if (allowed.length === 0) return null;
  return (
    <Card
      title={asked.length === 0 ? "It asks for no new permission" : "Already allowed"}
      description={
        <>
          You allowed this to <bdi>{application.name}</bdi> before.
          {earlier?.until && (
            <>
              {" "}
              It expires <Time at={earlier.until} />.
            </>
          )}{" "}
          You can change it under Connected apps.
        </>
      }
    >
      <ul className="grid gap-1.5">
        {allowed.map(({ name, title }) => (
          <li key={name} className="flex items-start gap-2.5">
            <Check className="mt-1 size-4 flex-none text-good" />
            <span className="min-w-0">
              {title} <code className="ml-1 font-mono text-xs text-ink-faint">{name}</code>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

type AskedScopesProps = {
  view: ConsentView;
  form: string;
  previews: Partial<Record<ScopeName, ReactNode>>;
};

export function AskedScopesCard({ view, form, previews }: AskedScopesProps) {
  const { asked, optional, allowed, earlier, application } = view;
  if (asked.length === 0 && allowed.length === 0) {
    return (
      <Card title="It asks for no permission">
        <p className="text-ink-soft">
          <bdi>{application.name}</bdi> will be able to call endpoints that need no permission, such
          as members of factions and stocks. It learns nothing about you.
        </p>
      </Card>
    );
  }
  if (asked.length === 0) return null;
  const held = earlier?.scopes ?? [];
  // A scope that another scope covers is listed with that scope, unless it is optional.
  const entries = asked.filter(
    ({ name }) => optional.includes(name) || !comesWithAnother(name, view),
  );
  return (
    <Card
      dense
      title={
        allowed.length > 0
          ? `New: ${application.name} will also be able to`
          : `${application.name} will be able to`
      }
      description={
        <>
          With the data it would see today.
          {optional.length > 0 &&
            " You may untick optional ones: the application works without them."}
          {optional.some((scope) => covers(held, scope)) &&
            " It loses what you untick on every device."}
        </>
      }
    >
      <ScopeList
        form={form}
        items={entries.map((scope) => ({
          name: scope.name,
          icon: <ScopeIcon scope={scope.name} />,
          title: (
            <span className="flex flex-wrap items-center gap-x-2">
              {scope.title}
              {optional.includes(scope.name) && <Badge>Optional</Badge>}
              {covers(held, scope.name) && <Badge tone="good">Allowed before</Badge>}
            </span>
          ),
          body: comesWithAnother(scope.name, view) ? (
            <>{scope.grants} Included in “All your faction's data” while that is ticked.</>
          ) : (
            <>
              {scope.grants}
              <Covered by={scope.name} />
            </>
          ),
          events: eventWordsOf([scope.name]),
          preview: previews[scope.name] ?? (
            <span className="text-ink-faint">Nothing stored yet.</span>
          ),
          choice: optional.includes(scope.name)
            ? "optional"
            : optional.length > 0
              ? "fixed"
              : undefined,
        }))}
      />
    </Card>
  );
}

const comesWithAnother = (name: ScopeName, { asked }: ConsentView): boolean =>
  asked.some((other) => other.name !== name && covers([other.name], name));

/** Also lists covered scopes that were not requested by name. */
function Covered({ by }: { by: ScopeName }) {
  const covered = scopes.filter(({ name }) => name !== by && covers([by], name));
  if (covered.length === 0) return null;
  return (
    <ul className="mt-1 grid gap-0.5" aria-label="Covers">
      {covered.map(({ name, title }) => (
        <li key={name} className="flex items-start gap-2">
          <Check className="mt-1 size-3.5 flex-none text-good" />
          {title}
        </li>
      ))}
    </ul>
  );
}

const keyMissing = "no member has added a key that can read them.";

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
  player: OwnPlayerView;
  gameKeys: readonly Pick<GameKeyView, "lastFour" | "type" | "state" | "lastOkAt">[];
  /** Null without a faction, or if no scope needs one. */
  faction: FactionPreview | null;
};

/** Previews show stored data; the game is not called. */
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

const icons = {
  identity: IdCard,
  faction: Shield,
  "faction:attacks": Crosshair,
  "faction:banking": Landmark,
  "faction:crimes": Layers,
  "service_key:usage": KeyRound,
} as const satisfies Record<ScopeName, unknown>;

function ScopeIcon({ scope }: { scope: ScopeName }) {
  const Icon = icons[scope];
  return <Icon />;
}
