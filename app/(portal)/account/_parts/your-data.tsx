import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";

/** What a player may do with all that is stored about them: read what it is, have it, or have it deleted. Needs no script. */
export function YourData() {
  return (
    <Card title="Your data" flush>
      <ul className="divide-y divide-line">
        <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
          <div className="min-w-0 flex-1 basis-72">
            <h3 className="font-medium">What is stored, and why</h3>
            <p className="text-sm text-ink-soft">Each kind of data: for how long, who sees it and what it is for.</p>
          </div>
          <LinkButton href="/#declaration" size="sm">
            Read the table
          </LinkButton>
        </li>
        <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
          <div className="min-w-0 flex-1 basis-72">
            <h3 className="font-medium">Export</h3>
            <p className="text-sm text-ink-soft">
              Everything stored about you, as one JSON file without keys and secrets.
            </p>
          </div>
          <CsrfForm action="/account/export">
            <Button type="submit" size="sm">
              Download
            </Button>
          </CsrfForm>
        </li>
        <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
          <div className="min-w-0 flex-1 basis-72">
            <h3 className="font-medium">Delete</h3>
            <p className="text-sm text-ink-soft">
              Deletes your account and ends all access you gave. The next page lists what is affected.
            </p>
          </div>
          <LinkButton href="/account/delete" size="sm">
            Delete account
          </LinkButton>
        </li>
      </ul>
    </Card>
  );
}
