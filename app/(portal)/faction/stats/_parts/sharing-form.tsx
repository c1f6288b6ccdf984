import { CsrfForm } from "#parts/csrf-form";
import { Button } from "#ui/button";
import { Card } from "#ui/card";
import { RadioCards } from "#ui/radio-cards";
import { sharingInWords } from "./sharing-in-words";

const choices = ["everybody", "faction", "off"] as const;

/** The choice of who sees what the faction's fights tell. */
export function SharingForm({ sharing }: { sharing: (typeof choices)[number] }) {
  const options = choices.map((value) => ({
    value,
    label: sharingInWords[value].label,
    hint: sharingInWords[value].text,
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
