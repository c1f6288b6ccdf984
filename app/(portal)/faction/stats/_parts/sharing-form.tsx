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
      title="Who sees what your fights tell"
      description="It counts for fights from now on. Scores from before stay with those who see them. Stats that your members' keys tell are never shown to anybody."
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
