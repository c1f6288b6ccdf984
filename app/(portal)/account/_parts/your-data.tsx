import type { ReactNode } from "react";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";

/** What a player may do with all that is stored about them: read what it is, have it, or have it deleted. Needs no script. */
export function YourData() {
  return (
    <Card title="Your data" flush>
      <ul className="divide-y divide-line">
        <Entry title="What is stored, and why" text="Each kind of data: for how long, who sees it and what it is for.">
          <LinkButton href="/#declaration" size="sm">
            Read the table
          </LinkButton>
        </Entry>
        <Entry title="Export" text="Everything stored about you, as one JSON file without keys and secrets.">
          <CsrfForm action="/account/export">
            <Button type="submit" size="sm">
              Download
            </Button>
          </CsrfForm>
        </Entry>
        <Entry
          title="Delete"
          text="Deletes your account and ends all access you gave. The next page lists what is affected."
        >
          <LinkButton href="/account/delete" size="sm">
            Delete account
          </LinkButton>
        </Entry>
      </ul>
    </Card>
  );
}

function Entry({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="font-medium">{title}</h3>
        <p className="text-sm text-ink-soft">{text}</p>
      </div>
      {children}
    </li>
  );
}
