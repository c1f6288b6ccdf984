import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { RadioCards } from "#app/_ui/radio-cards.tsx";

const choices = ["everybody", "faction", "off"] as const;

/** The choice of who sees what the faction's fights tell. */
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

/** Who sees what a faction's fights tell, in the words of the page. */
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
