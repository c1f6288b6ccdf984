/** The last part of the address of an endpoint's page: "Get Faction Members" is `get-faction-members`. */
export const endpointSlug = ({ title }: { readonly title: string }): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
