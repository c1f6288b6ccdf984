import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { RadioCards } from "#app/_ui/radio-cards.tsx";
import { describeSharing } from "./describe-sharing";

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
