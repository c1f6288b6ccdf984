import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import { formatCount, formatNumber } from "#app/_lib/format";
import { readParams, type SearchParams } from "#app/_lib/search-params";
import { Alert } from "#app/_ui/alert.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { Time } from "#app/_ui/time.tsx";
import { NoFaction } from "../_parts/no-faction";
import { describeSharing, ImportScores, SharingForm } from "./_parts/stats-forms";

export const metadata: Metadata = { title: "Scores" };

/** Works without script. */
export default async function FactionStatsPage({ searchParams }: { searchParams: SearchParams }) {
  await requireUser();
  const own = await (await caller()).factionStats.own();
  if (!own) return <NoFaction title="Scores">its scores appear here.</NoFaction>;

  const { factionName, sharing, chosen, mayChange } = own;
  const { players, newest } = own.own;
  const words = describeSharing[sharing];
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Scores"
        lead={`How strong other players are, from the fights and imports of ${factionName}.`}
      />
      <DoneAlert {...(await readParams(searchParams, ["imported", "known", "shared"]))} />
      {!chosen && (
        <Alert title="Nobody has chosen yet who sees the scores from your fights">
          {mayChange
            ? "Until you choose below, only members of your faction see them."
            : "Until a leader or a member with faction API access chooses, only members of your faction see them."}
        </Alert>
      )}
      <Card
        title="What is stored"
        description="A score is one number for a player's strength. It does not show the individual stats."
      >
        <KeyValueList
          items={[
            {
              label: "Fights of your members",
              value: <Status tone={words.tone}>{words.label}</Status>,
            },
            {
              label: "Private scores",
              value: <span className="tabular">{formatNumber(players)}</span>,
            },
            { label: "Latest", value: newest ? <Time at={newest} /> : "None yet" },
          ]}
        />
      </Card>
      {mayChange ? (
        <>
          <SharingForm sharing={sharing} />
          <ImportScores />
        </>
      ) : (
        <p className="max-w-prose text-sm text-ink-soft">
          {words.text} Leaders and members with faction API access can change this and import
          scores.
        </p>
      )}
    </div>
  );
}

type Props = {
  imported: string | undefined;
  known: string | undefined;
  shared: string | undefined;
};

const digits = (text: string | undefined) =>
  /^\d{1,5}$/.test(text ?? "") ? Number(text) : undefined;
const isSharing = (text: string | undefined): text is keyof typeof describeSharing =>
  text !== undefined && Object.hasOwn(describeSharing, text);

function DoneAlert({ imported, known, shared }: Props) {
  const [added, old] = [digits(imported), digits(known) ?? 0];
  const said = isSharing(shared) ? `Saved. ${describeSharing[shared].text}` : undefined;
  const text = added === undefined ? said : importInWords(added, old);
  if (!text) return null;
  return (
    <Alert tone="good" live>
      {text}
    </Alert>
  );
}

function importInWords(added: number, old: number): string {
  const taken = `${formatCount(added, "score was", "scores were")} imported.`;
  return old === 0 ? taken : `${taken} ${formatNumber(old)} brought nothing newer.`;
}
