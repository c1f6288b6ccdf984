import { gameName } from "#app/_lib/settings";
import { Card } from "#app/_ui/card.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";

/** The game's rules require this table wherever an API key is requested. */
export const KeyUseCard = () => (
  <Card
    title="What is stored, and why"
    footer={
      <TextLink href="/docs/data">Each kind of data: for how long, who sees it, what for</TextLink>
    }
  >
    <ul className="grid max-w-prose list-disc gap-1.5 pl-5 text-sm text-ink-soft">
      <li>Your key, encrypted. No application and no other player ever sees it.</li>
      <li>
        What it reads: your player record, which {gameName()} shows everyone, and, if the key may,
        your battle stats and your faction's data.
      </li>
      <li>
        You choose what each application sees. Your key, battle stats and sessions are deleted with
        your account.
      </li>
    </ul>
  </Card>
);
