import { gameName } from "#app/_lib/settings";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import type { AccountSwitch } from "#server/users/account-switches";
import { Entry } from "./entry";

interface Words {
  readonly title: string;
  readonly text: string;
  readonly note: string;
  /** State text and button label, for on and off. */
  readonly on: { readonly state: string; readonly change: string };
  readonly off: { readonly state: string; readonly change: string };
}

const wordsOf = (game: string): Readonly<Record<AccountSwitch, Words>> => ({
  lendsKey: {
    title: "Lend your key",
    text: `Some ${game} data is public but can only be read with a key, such as the names of OCs. If you lend yours, Adjutant reads such public data with it now and then, for everyone. It never reads your private data for others.`,
    note: "Your key is never shown to anyone.",
    on: { state: "Lent", change: "Stop lending" },
    off: { state: "Not lent", change: "Lend my key" },
  },
  sharesOpponentStats: {
    title: "Share scores from your fights",
    text: "Each fight shows how strong your opponent is. If you share, Adjutant reads your fights with your key every ten minutes and adds your opponents' scores to everyone's target lists. If your faction keeps its scores private, yours stay private too. If your faction's fights are already read, yours are not read twice.",
    note: "Your own stats are never shown, whatever you choose.",
    on: { state: "Shared", change: "Stop sharing" },
    off: { state: "Not shared", change: "Share" },
  },
});

/** Works without script. */
export const AccountSwitches = ({ on }: { on: readonly AccountSwitch[] }) => (
  <Card title="What you share" description="Changes take effect at once." flush>
    <ul className="divide-y divide-line">
      {Object.entries(wordsOf(gameName())).map(([name, { title, text, note, ...states }]) => {
        const isOn = on.some((known) => known === name);
        const { state, change } = isOn ? states.on : states.off;
        return (
          <Entry
            key={name}
            title={title}
            text={
              <>
                <p>{text}</p>
                <p className="mt-1">{note}</p>
              </>
            }
          >
            <CsrfForm
              action="/account/switches"
              fields={{ switch: name, on: isOn ? "no" : "yes" }}
              className="flex flex-wrap items-center gap-3"
            >
              <Status tone={isOn ? "good" : "neutral"}>{state}</Status>
              <Button type="submit" size="sm">
                {change}
              </Button>
            </CsrfForm>
          </Entry>
        );
      })}
    </ul>
  </Card>
);
