export {
  default,
  generateMetadata,
} from "#app/(portal)/developers/apps/[clientId]/webhooks/[endpointId]/page.tsx";
