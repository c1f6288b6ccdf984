import { type PageProps, readParam } from "#app/_lib/search-params";
import { searchResultKinds } from "#app/_parts/search/search-result";
import { Badge } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { Input } from "#app/_ui/field.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { longestQuestion, searchDocs } from "./search-index";

export const metadata = { title: "Search" };

const mostShown = 50;

/** Serves browsers without script; with script, a dialog does the same. */
export default async function Search({ searchParams }: PageProps) {
  const question = (await readParam(searchParams, "q"))?.slice(0, longestQuestion) ?? "";
  const found = await searchDocs(question);
  return (
    <>
      <PageHeader
        title="Search"
        lead="The full text of guides, endpoints, errors, events and the changelog. Signed in, your own applications too."
      />
      <search>
        <form action="/docs/search" className="flex flex-wrap gap-3">
          <Input
            type="search"
            name="q"
            aria-label="Search for"
            defaultValue={question}
            maxLength={longestQuestion}
            className="min-w-0 flex-1 basis-60"
          />
          <Button type="submit" variant="primary">
            Search
          </Button>
        </form>
      </search>
      {question !== "" && (
        <Card flush title={found.length === 1 ? "1 result" : `${found.length} results`}>
          {found.length === 0 ? (
            <EmptyState
              title="Nothing found"
              action={<LinkButton href="/docs/api">All endpoints</LinkButton>}
            >
              Try one word, a code such as 4004, a header, or a part of a path.
            </EmptyState>
          ) : (
            <ul className="divide-y divide-line">
              {found.slice(0, mostShown).map(({ kind, title, href, text }) => (
                <li
                  key={title + href + text}
                  className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-3 sm:px-5"
                >
                  <TextLink href={href} className="font-medium wrap-anywhere">
                    {title}
                  </TextLink>
                  <Badge>{searchResultKinds[kind]}</Badge>
                  {text && (
                    <span className="basis-full text-sm wrap-anywhere text-ink-soft">{text}</span>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Card>
      )}
    </>
  );
}
