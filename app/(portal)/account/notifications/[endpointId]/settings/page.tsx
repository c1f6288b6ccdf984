export {
  default,
  metadata,
} from "#app/(portal)/developers/apps/[clientId]/webhooks/[endpointId]/settings/page.tsx";
