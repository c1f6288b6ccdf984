import { Card } from "#app/_ui/card.tsx";
import { Skeleton } from "#app/_ui/skeleton.tsx";

/** While the code is exchanged. */
export function Connecting() {
  return (
    <Card title="Connecting">
      <div className="grid gap-3" role="status" aria-label="Exchanging the code">
        <Skeleton className="h-5 w-60" />
        <Skeleton className="h-24 w-full" />
      </div>
    </Card>
  );
}
