import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { Field, Textarea } from "#app/_ui/field.tsx";
import { RadioCards } from "#app/_ui/radio-cards.tsx";

const choices = ["everybody", "faction", "off"] as const;

export function SharingForm({ sharing }: { sharing: (typeof choices)[number] }) {
  const options = choices.map((value) => ({
    value,
    label: describeSharing[value].label,
    hint: describeSharing[value].text,
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

export const describeSharing = {
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

const sample = `id,strength,defense,speed,dexterity,total,timestamp
2400001,1200000,900000,1100000,800000,4000000,1767225600`;

/** By paste: without script a file of that size is no better. */
export function ImportScores() {
  return (
    <Card
      title="Import from a stat site"
      description="Paste your faction's export. Only members of your faction see the scores. The stats themselves are not stored."
    >
      <div className="grid gap-5">
        <CsrfForm action="/faction/stats/import" className="grid gap-4">
          <Field
            name="text"
            label="Export"
            hint="CSV with column names in the first line, or a JSON list. Up to 5,000 players and about 200 KB at a time. If a line is wrong, nothing is imported."
          >
            {(control) => (
              <Textarea
                {...control}
                code
                rows={8}
                className="max-h-96 min-h-40"
                maxLength={250_000}
              />
            )}
          </Field>
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
