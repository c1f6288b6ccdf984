import { playerCaller } from "#app/_lib/current-user";
import { formatCount, formatNumber } from "#app/_lib/format";
import { type PageProps, readParams } from "#app/_lib/search-params";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { TextareaField } from "#app/_ui/field.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { RadioCards } from "#app/_ui/radio-cards.tsx";
import { NoFaction } from "../_parts/no-faction";

export const metadata = { title: "Scores" };

const describeSharing = {
  everybody: {
    tone: "good",
    label: "Shared with everyone",
    text: "Everyone who uses Adjutant sees the scores from your faction's fights, and your faction sees theirs.",
  },
  faction: {
    tone: "accent",
    label: "Private to your faction",
    text: "Only members of your faction see the scores from its fights.",
  },
  off: {
    tone: "neutral",
    label: "Not stored",
    text: "No scores are stored from your faction's fights. You still see scores that others share.",
  },
} as const;

const sharingSaved = Object.fromEntries(
  Object.entries(describeSharing).map(([choice, { text }]) => [choice, `Saved. ${text}`]),
);

export default async function FactionStatsPage({ searchParams }: PageProps) {
  const own = await (await playerCaller()).factionStats.own();
  if (!own) return <NoFaction title="Scores">its scores appear here.</NoFaction>;

  const { factionName, sharing, chosen, mayChange } = own;
  const { players, newest } = own.own;
  const words = describeSharing[sharing];
  const { imported, known } = await readParams(searchParams, ["imported", "known"]);
  return (
    <>
      <PageHeader
        title="Scores"
        lead={`How strong other players are, from the fights and imports of ${factionName}.`}
      />
      <FormNotice
        searchParams={searchParams}
        done={{ ...sharingSaved, imported: importInWords(digits(imported), digits(known)) }}
      />
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
            { label: "Latest", at: newest, never: "None yet" },
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
    </>
  );
}

const digits = (text = "") => (/^\d{1,5}$/.test(text) ? Number(text) : 0);

function importInWords(added: number, old: number): string {
  const taken = `${formatCount(added, "score was", "scores were")} imported.`;
  return old === 0 ? taken : `${taken} ${formatNumber(old)} brought nothing newer.`;
}

function SharingForm({ sharing }: { sharing: keyof typeof describeSharing }) {
  const options = Object.entries(describeSharing).map(([value, { label, text }]) => ({
    value,
    label,
    hint: text,
  }));
  return (
    <Card
      title="Who sees scores from your fights"
      description="Applies to fights from now on; earlier scores stay as they are. Stats read with your members' own keys are never shown to anyone."
    >
      <CsrfForm action="/faction/stats/sharing" className="grid gap-4">
        <RadioCards
          name="sharing"
          legend="Your faction's fights"
          options={options}
          defaultValue={sharing}
          columns={1}
        />
        <Button type="submit" className="w-fit">
          Save
        </Button>
      </CsrfForm>
    </Card>
  );
}

const sample = `id,strength,defense,speed,dexterity,total,timestamp
2400001,1200000,900000,1100000,800000,4000000,1767225600`;

function ImportScores() {
  return (
    <Card
      title="Import from a stat site"
      description="Paste your faction's export. Only members of your faction see the scores. The stats themselves are not stored."
    >
      <div className="grid gap-5">
        <CsrfForm action="/faction/stats/import" className="grid gap-4">
          <TextareaField
            name="text"
            label="Export"
            hint="CSV with column names in the first line, or a JSON list. Up to 5,000 players and about 200 KB at a time. If a line is wrong, nothing is imported."
            code
            rows={8}
            className="[&_textarea]:max-h-96 [&_textarea]:min-h-40"
            maxLength={250_000}
          />
          <Button type="submit" variant="primary" className="w-fit">
            Import
          </Button>
        </CsrfForm>
        <div className="grid gap-2 text-sm text-ink-soft">
          <p className="max-w-prose">
            The columns are <code>id</code>, <code>strength</code>, <code>defense</code>,{" "}
            <code>speed</code>, <code>dexterity</code> and <code>timestamp</code> (when the stats
            were seen, in Unix seconds). <code>total</code> is optional and must be the sum. Other
            columns are ignored. For a player imported before, only newer stats count.
          </p>
          <CodeBlock code={sample} label="An export" />
        </div>
      </div>
    </Card>
  );
}
