import { RequestStateMessage } from "./_parts/request-state";

export default function NoSuchRequest() {
  return <RequestStateMessage state="unknown" requestId="" restart={null} />;
}
